package percuss

// Capabilities says what a back-end can do. They are frozen in the run when it starts, so that a resumed run asks
// the same things.
type Capabilities struct {
	Identity      string `json:"identity"`                 // what enters Request.Model
	Text          bool   `json:"text"`                     // can generate text
	Letters       bool   `json:"letters"`                  // real next-token log-probabilities of labels
	Continue      bool   `json:"continue"`                 // can continue a given beginning of the assistant's turn
	Seeded        bool   `json:"seeded"`                   // sampling is repeatable by seed
	SystemRole    bool   `json:"system_role"`              // the template has a system turn
	ContextTokens int    `json:"context_tokens,omitempty"` // prompt and output together; 0: unknown
	Exact         bool   `json:"exact"`                    // an answer does not depend on what else is in the batch (float weights)
	Template      string `json:"template,omitempty"`       // how chats become prompts: "jinja", "built-in", "none"
	Engine        string `json:"engine,omitempty"`         // name and version; not part of any key
	Weights       string `json:"weights,omitempty"`        // e.g. "Q4_1", "F32"
	Layout        string `json:"layout,omitempty"`         // how the embedded engine shares what prompts have in common: "exact", "shared" or "alone"
	Given         bool   `json:"given,omitempty"`          // a foreign log: it holds the answer to each question as it stands and can be asked nothing else
	MultiLetter   bool   `json:"multi_letter"`             // labels of more than one token can be scored
}

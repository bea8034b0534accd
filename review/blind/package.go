package blind

// PackageSchema names the format of a package.
const PackageSchema = "percuss.review.package/1"

// Package is a sample as raters get it: everything that they see, and nothing that says where an item is from. It is one
// JSON file; what each item is stands in a key file, of which the package knows only the hash.
type Package struct {
	Schema       string     `json:"schema"`             // PackageSchema
	ID           string     `json:"id"`                 // 16 hex digits, of the content
	Task         Kind       `json:"task"`               //
	Title        string     `json:"title"`              // for raters
	Instructions []string   `json:"instructions"`       // paragraphs, read once before the first item
	Questions    []Question `json:"questions"`          // in the order in which they are asked
	Items        []Item     `json:"items"`              // in an order that tells nothing
	Practice     []Item     `json:"practice,omitempty"` // before the items, each with Expected and Feedback; their answers count nowhere
	Round        int        `json:"round"`              // 1; 2: adjudication of what raters of the first round disagree on
	Of           string     `json:"of,omitempty"`       // of a second round: the ID of the first round's package
	Seal         string     `json:"seal"`               // SHA-256 of the key file, 64 hex digits: after unsealing it shows that the key is the one of the day of the sample
}

// Kind is what raters judge.
type Kind string

// The kinds of task.
const (
	Perturbation Kind = "perturbation"  // edits of questions: does the right answer change, is the question valid, did the new answer harm? (chain audit, section 7)
	ChainUpdate  Kind = "chain-update"  // does the new chain use the edit? (the same)
	OperatorTags Kind = "operator-tags" // destructive or preserving, structural or surface (the same)
	Interactions Kind = "interactions"  // is there a clinical reason for a combination of findings? (evidence audit, section 6)
	Steps        Kind = "steps"         // is a step of a chain true? (step audit, expert check)
	Own          Kind = "own"           // questions and items of the user's own
)

// Question is one thing that is asked of an item.
type Question struct {
	ID       string  `json:"id"`                 // e.g. "gold_shift": the task of its labels
	Text     string  `json:"text"`               // the question in words
	Help     string  `json:"help,omitempty"`     // a sentence or two below it
	Labels   []Label `json:"labels"`             // two to nine: the digits 1 to 9 choose them
	Ordinal  bool    `json:"ordinal,omitempty"`  // the labels are in order, so that agreement may be weighted
	Optional bool    `json:"optional,omitempty"` // an item is done without it
	When     *When   `json:"when,omitempty"`     // it is asked only after this answer; nil: always
}

// When names an answer to an earlier question of the same item.
type When struct {
	Question string `json:"question"`
	Label    string `json:"label"`
}

// Label is one answer that may be given.
type Label struct {
	ID   string `json:"id"`             // e.g. "no_shift"
	Name string `json:"name"`           // for raters
	Help string `json:"help,omitempty"` // what it means
}

// Item is one thing to be judged.
type Item struct {
	ID       string            `json:"id"`                 // opaque
	Asks     []string          `json:"asks,omitempty"`     // ids of the questions that are asked of it; empty: all
	Parts    []Part            `json:"parts"`              // what is shown, from top to bottom
	Expected map[string]string `json:"expected,omitempty"` // of practice items: question -> label
	Feedback string            `json:"feedback,omitempty"` // of practice items: why
}

// Part is one block of what is shown.
type Part struct {
	Show   Show   `json:"show"`
	Head   string `json:"head,omitempty"`   // above it
	Text   string `json:"text,omitempty"`   // of Text; a line above the others
	Before string `json:"before,omitempty"` // of Change
	After  string `json:"after,omitempty"`
	Rows   []Row  `json:"rows,omitempty"` // of List
}

// Show is how a part is shown.
type Show string

// The ways of showing a part.
const (
	ShowText   Show = "text"   // a text with its line ends
	ShowChange Show = "change" // two texts with their difference marked, which a rater may switch off
	ShowList   Show = "list"   // rows, some of them marked
)

// Row is one row of a list: an option with its letter, a finding, a step.
type Row struct {
	Key    string `json:"key,omitempty"` // e.g. the letter of an option
	Text   string `json:"text"`
	Marked bool   `json:"marked,omitempty"` // it is what the question is about
	Note   string `json:"note,omitempty"`   // a word or two behind it, e.g. "the answer before the edit"
}

// GuideRow is the id of the row of a sheet that explains its columns; it is no item.
const GuideRow = "guide"

// Limits of a package, beyond which it is refused.
const (
	MostBytes = 64 << 20 // of the file
	MostItems = 100_000
	MostText  = 1 << 20 // of one text, bytes
)

package openai

// row is what is peculiar to one server. Everything that the code treats differently stands here; the code never asks
// for a server by name.
type row struct {
	name  string
	title string // for readers

	// Recognition: any one mark suffices. Marks and facts are free GET requests.
	marks   []mark
	version fact
	context fact // prompt and output together, in tokens

	// How a beginning of the assistant's turn is continued. Every row sends it as a final assistant message; without
	// continues it is quoted in a user turn.
	continues  bool
	continuing map[string]any // further fields that it takes
	repeats    bool           // the text of a whole reply repeats the beginning; that of a stream does not

	// closes: the server closes connections that it announced to keep, after every stream and after some time, so that
	// a request on a kept one may be lost. Then every request has one of its own.
	closes bool

	topLogprobs int       // most alternatives that may be asked for; 0: no log-probabilities
	filtered    bool      // values are those after temperature and filters
	standIns    []float64 // values that stand for a very small one, besides -Infinity; null stands for none at all

	limit     string         // name of the token limit
	reasoning []string       // names of the field that holds reasoning, first that is there
	neutral   map[string]any // switches off what server or model sample with by default, beyond what a Request says
	omitTopP1 bool           // top_p 1 is refused, though it is the default
	seeded    bool           // a seed makes sampling repeatable
	strict    bool           // parameters that the server does not know are refused, not passed over
	fixed     []string       // beginnings of the names of reasoning models, which refuse log-probabilities and mostly temperature
}

// mark is a sign by which a server is known: the host of its address, a header of its model list, the owner of its
// models, or a field in the reply to a GET request. A path counts from the root of the server, which is the base URL
// without /v1.
type mark struct {
	host       string
	header     string // name of a header, with any value when value is empty
	owner      string // of a model in the list
	path, at   string // a path, and the field that must be there
	value      string // what the header or field begins with; empty: anything
	andWithout string // a field that must not be there
}

// fact is where a server states something: a field in the reply to a GET request. In at, "*" stands for the element of
// a list whose id, name or model is the model asked for. An empty path means the model list.
type fact struct{ path, at string }

// missing are the usual stand-ins for a log-probability that there is none of: OpenAI and vLLM write -9999, some others
// -100, a value that does not come about exactly. llama.cpp writes the lowest 32-bit number where a probability is 0;
// that lies below lowest and is missing everywhere.
func missing() []float64 { return []float64{-9999, -100} }

// lowest is a log-probability that no model gives to a token on its list: what is below it is a stand-in.
const lowest = -1000

// rows returns the known servers, in the order in which they are tried; the last one fits any.
//
// Sources: the servers' own source and documentation, and their issue trackers where a behaviour is documented nowhere
// else; docs/decisions/0005-http.md lists them.
func rows() []row {
	return []row{openaiRow(), vllmRow(), sglangRow(), llamacppRow(), ollamaRow(), tgiRow(), lmstudioRow(), genericRow()}
}

func openaiRow() row {
	return row{
		name: "openai", title: "OpenAI",
		marks:       []mark{{host: "api.openai.com"}, {header: "Openai-Version"}},
		topLogprobs: 20,
		standIns:    missing(),
		limit:       "max_completion_tokens", // max_tokens is refused by its reasoning models
		neutral:     withPenalties(map[string]any{}),
		seeded:      false, // "best effort" only
		strict:      true,  // reasoning models refuse the penalties, and mostly temperature and top_p
		fixed:       []string{"o1", "o3", "o4", "gpt-5"},
	}
}

func vllmRow() row {
	return row{
		name: "vllm", title: "vLLM",
		marks:       []mark{{owner: "vllm"}},
		version:     fact{"/version", "version"},
		context:     fact{"", "data.*.max_model_len"},
		continues:   true,
		continuing:  map[string]any{"add_generation_prompt": false, "continue_final_message": true},
		topLogprobs: 20, // --max-logprobs
		standIns:    missing(),
		limit:       "max_tokens",
		reasoning:   []string{"reasoning_content", "reasoning"},
		// The model's generation_config.json would otherwise set these, e.g. top_k 20 and a repetition penalty.
		neutral: withPenalties(map[string]any{"top_k": -1, "min_p": 0, "repetition_penalty": 1}),
		seeded:  true,
	}
}

func sglangRow() row {
	return row{
		name: "sglang", title: "SGLang",
		marks:       []mark{{owner: "sglang"}, {path: "/get_model_info", at: "model_path"}},
		version:     fact{"/get_server_info", "version"},
		context:     fact{"", "data.*.max_model_len"},
		continues:   true,
		continuing:  map[string]any{"continue_final_message": true}, // without it the message is turned into a user's
		topLogprobs: 20,
		filtered:    true, // divided by the temperature
		standIns:    missing(),
		limit:       "max_tokens",
		reasoning:   []string{"reasoning_content", "reasoning"},
		neutral:     withPenalties(map[string]any{"top_k": -1, "min_p": 0, "repetition_penalty": 1}),
		seeded:      false, // only with deterministic inference switched on
	}
}

func llamacppRow() row {
	return row{
		name: "llama.cpp", title: "llama.cpp server",
		marks: []mark{{owner: "llamacpp"}, {header: "Server", value: "llama.cpp"},
			{path: "/props", at: "default_generation_settings"}},
		version:     fact{"/props", "build_info"},
		context:     fact{"/props", "default_generation_settings.n_ctx"},
		continues:   true, // a final assistant message is continued as it stands
		repeats:     true,
		closes:      true,
		topLogprobs: 100, // any number up to the vocabulary
		standIns:    missing(),
		limit:       "max_tokens",
		reasoning:   []string{"reasoning_content"},
		// Each of these can be set when the server is started. cache_prompt is left as it is, which is mostly on: on
		// quantised weights a prompt whose beginning was cached may give other last digits, and a greedy text that
		// differs where two tokens are nearly equal, but without it every edit of a chain computes the whole prompt
		// again, and batches of several slots move the digits just as much. The noise floor of a run measures both;
		// who wants repeats alike starts the server with one slot and --no-cache-prompt.
		neutral: withPenalties(map[string]any{"top_k": 0, "min_p": 0, "repeat_penalty": 1, "typical_p": 1, "top_n_sigma": -1,
			"dynatemp_range": 0, "mirostat": 0, "xtc_probability": 0, "dry_multiplier": 0}),
		seeded: true,
	}
}

func ollamaRow() row {
	return row{
		name: "ollama", title: "Ollama",
		marks:       []mark{{path: "/api/version", at: "version", andWithout: "error"}},
		version:     fact{"/api/version", "version"},
		context:     fact{"/api/ps", "models.*.context_length"}, // of a loaded model only
		topLogprobs: 20,
		standIns:    missing(),
		limit:       "max_tokens",
		reasoning:   []string{"reasoning", "reasoning_content"},
		// top_k, min_p and repeat_penalty have no name in this protocol: those of the model file hold, else the
		// server's (top_k 40). They do nothing at temperature 0, but for a penalty.
		neutral: withPenalties(map[string]any{}),
		seeded:  true,
	}
}

func tgiRow() row {
	return row{
		name: "tgi", title: "text-generation-inference",
		marks:       []mark{{path: "/info", at: "max_total_tokens"}, {path: "/info", at: "router", value: "text-generation-router"}},
		version:     fact{"/info", "version"},
		context:     fact{"/info", "max_total_tokens"},
		topLogprobs: 5,
		filtered:    true,
		standIns:    missing(),
		limit:       "max_tokens",
		reasoning:   []string{"reasoning_content"},
		omitTopP1:   true,
		// Not presence_penalty: its 0 becomes a repetition penalty of 2 (2 is added to it), where leaving it out gives
		// none. Of top_k, top_p and repetition penalty there is no default to override.
		neutral: map[string]any{"frequency_penalty": 0},
		seeded:  true,
	}
}

func lmstudioRow() row {
	return row{
		name: "lmstudio", title: "LM Studio",
		marks:     []mark{{path: "/api/v0/models", at: "data.0.max_context_length"}, {owner: "organization_owner"}},
		context:   fact{"/api/v0/models", "data.*.loaded_context_length"},
		limit:     "max_tokens",
		reasoning: []string{"reasoning_content", "reasoning"},
		// The settings that a user saved for the model would else hold. min_p is not documented for this protocol; where
		// it is refused it is left out.
		neutral: withPenalties(map[string]any{"top_k": 0, "min_p": 0, "repeat_penalty": 1}),
		seeded:  true,
		strict:  true,
	}
}

// genericRow promises what every server has: text.
func genericRow() row {
	return row{
		name: "generic", title: "a server that speaks OpenAI's protocol",
		standIns:  missing(),
		limit:     "max_tokens",
		reasoning: []string{"reasoning_content", "reasoning"},
		neutral:   withPenalties(map[string]any{}), // the one pair that the protocol has; names of further ones would be guesses
		strict:    true,                            // not known, so it may be
	}
}

// withPenalties adds the two penalties of the protocol, switched off, to what else a server knows.
func withPenalties(neutral map[string]any) map[string]any {
	neutral["presence_penalty"], neutral["frequency_penalty"] = 0, 0
	return neutral
}

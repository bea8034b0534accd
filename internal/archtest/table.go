package archtest

// row says what the packages of a pattern may import from the module.
type row struct {
	of  string
	may []string
}

// table is read from the top: the first row that names a package holds for it. A change here goes with a change of
// docs/design.md in the same commit.
var table = []row{
	{".", nil},
	{"internal/supply", nil},
	{"internal/coverage", nil}, // tests only
	{"scripts/testcount", nil},

	{"stat", []string{"."}},
	{"stat/lattice", []string{"."}},
	{"clinical", []string{"."}},
	{"prompt", []string{"."}},
	{"spec", []string{"."}},
	{"model", []string{"."}},
	{"store", []string{"."}},
	{"dataset/source", []string{"."}},
	{"dataset", []string{".", "clinical", "dataset/source"}},

	{"foreign", []string{".", "dataset/source"}},
	{"dataset/logs", []string{".", "dataset", "foreign"}},
	{"dataset/*", []string{".", "dataset", "dataset/source", "clinical"}},
	{"model/simulated", []string{".", "model", "clinical"}},
	{"model/recorded", []string{".", "model", "store", "clinical", "foreign"}}, // for the format of an export, and the logs of others
	{"model/*", []string{".", "model"}},
	{"store/*", []string{".", "store"}},

	{"chain/battery", []string{".", "clinical"}},
	{"judge", []string{".", "clinical", "prompt"}}, // it builds requests and reads answers
	{"chain", []string{".", "stat", "clinical", "prompt", "judge", "chain/battery"}},

	{"evidence", []string{".", "stat", "stat/lattice", "clinical", "prompt"}},
	{"step", []string{".", "stat", "clinical", "prompt", "judge"}},

	{"review/blind", []string{"."}}, // what a reviewer sees: nothing that knows a model or a label
	{"review/ratings", nil},
	{"review/ratings/*", []string{"review/ratings"}},
	{"review/exchange", []string{".", "dataset/source", "review/blind", "review/ratings"}},
	{"review/agreement", []string{".", "stat", "review/blind", "review/ratings"}},
	{"review", []string{".", "clinical", "dataset/source", "chain", "chain/battery", "evidence", "step", "review/blind", "review/ratings"}},
	{"internal/annotate", []string{"review/blind", "review/ratings", "internal/web", "internal/worddiff"}}, // neither model nor key: what it cannot see it cannot tell

	{"run", []string{".", "model", "store", "spec"}},
	{"report/figure", []string{".", "chain"}},
	{"report/cases", []string{".", "stat/lattice", "chain", "evidence", "report", "report/figure", "internal/screen", "internal/web"}},
	{"report/steps", []string{".", "step", "report", "report/figure", "internal/screen", "internal/web"}},
	{"report/versus", []string{".", "stat", "chain", "evidence"}},
	{"report", []string{".", "stat", "clinical", "chain", "chain/battery", "run", "report/figure", "internal/screen", "internal/web", "internal/worddiff"}},

	{"internal/screen", nil},
	{"internal/worddiff", nil},
	{"internal/web", nil}, // the review app stands on it: it knows nothing of runs
	{"internal/explore/index", []string{".", "stat", "chain", "evidence", "step"}},
	{"internal/explore", []string{".", "stat/lattice", "chain", "chain/battery", "evidence", "step", "run", "report", "report/cases", "report/steps", "report/figure", "report/versus", "internal/web", "internal/explore/index"}},

	{"internal/cli", []string{"*"}},
	{"internal/cli/*", []string{"*"}},
	{"cmd/percuss", []string{"internal/cli"}},
	{"bench", []string{".", "stat/lattice", "bench/server", "bench/llama"}}, // it runs the built program, as a user does
	{"bench/server", []string{"."}},
	{"bench/llama", nil},
}

// purity says what a package may not reach, not even through others: an audit calls nothing.
type purity struct{ of, never []string }

var pure = purity{
	of:    []string{"chain", "chain/*", "evidence", "step", "judge"},
	never: []string{"model", "model/*", "store", "store/*", "run", "run/*"},
}

// foreign says which packages may import a library of others, and its packages. The first row that names an import
// holds for it.
var foreign = []struct {
	library []string
	only    []string
	why     string
}{
	{[]string{yzma + "/pkg/download", yzma + "/pkg/download/*"}, nil, "it fetches from elsewhere and pulls in the kits of cloud services"},
	{[]string{yzma, yzma + "/*"}, []string{"model/llamacpp"}, "one package sees the bindings"},
	{[]string{anthropic, anthropic + "/*"}, []string{"model/anthropic"}, "one package sees the vendor's kit"},
	{[]string{"codeberg.org/go-pdf/fpdf", "codeberg.org/go-fonts/liberation/*", "golang.org/x/image/*"}, []string{"report/figure"}, "one package draws"},
	{[]string{"golang.org/x/crypto/*"}, []string{"internal/annotate"}, "hashes of PINs"},
	{[]string{"github.com/chromedp/*"}, []string{"report/pagetest"}, "one package drives the browser, in tests"},
}

const (
	yzma      = "github.com/hybridgroup/yzma"
	anthropic = "github.com/anthropics/anthropic-sdk-go"
)

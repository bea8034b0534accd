package clinical

import (
	"slices"
	"strings"
)

// maxRefusal bounds, in bytes, a reply that may be a refusal: apology, reason and a word on whom to ask instead. A
// longer reply says something of its own.
const maxRefusal = 700

// role is what a word does in a refusal.
type role uint16

const (
	sorryRole    role = 1 << iota // opens many refusals: "sorry"
	speakerRole                   // the one who refuses: "I"
	unableRole                    // denies: "can't", "not", "decline"
	fillRole                      // may stand between that and the verb: "able to"
	helpRole                      // a verb that needs no object: "help"
	giveRole                      // a verb whose object says what is withheld: "provide"
	linkRole                      // leads from "help" to its object: "with"
	requestRole                   // what was asked: "that", "question"
	counselRole                   // what is withheld: "advice"
	evidenceRole                  // what the case lacks: "without", "data"
	patientRole                   // it is the patient who is not given something
	turnRole                      // turns to the matter after all: "however"
	referRole                     // tells whom to ask, or speaks of oneself
	judgeRole                     // speaks of the case after all: "likely"
	introRole                     // may open the sentence before the refusal: "understand"
)

// roles holds the words of refusals, in lower case, for English. A word in several roles has several bits.
var roles = rolesOf(map[role]string{
	sorryRole:   "sorry apologize apologise apologies unfortunately regret",
	speakerRole: "i i'm i'll",
	unableRole:  "can't cannot cant couldn't won't don't unable not decline refuse",
	fillRole: "to be able allowed permitted comfortable qualified authorized authorised equipped designed programmed " +
		"licensed in a position going with currently ethically legally safely really do",
	helpRole: "help assist comply continue engage respond reply proceed participate answer answering diagnose advise " +
		"fulfil fulfill",
	giveRole: "provide providing give giving offer offering make discuss process complete support",
	linkRole: "with to you on in by for the this that it these such your any medical clinical health",
	requestRole: "that this it you question questions request requests topic topics matter matters query queries task " +
		"prompt these those",
	counselRole: "advice opinion opinions guidance recommendation recommendations information answer answers assistance " +
		"help diagnosis diagnoses consultation response medical clinical health",
	evidenceRole: "without insufficient incomplete missing enough more further additional definitive definitively " +
		"accurate accurately certain certainty determine determined unclear data context details evidence image images " +
		"picture figure options choices lacks lacking unless until vignette abstract passage study provided shown specified",
	patientRole: "patient patients patient's him her them",
	turnRole:    "but however nevertheless nonetheless",
	referRole: "i i'm i'd i'll my you your please consult seek contact doctor physician professional provider guidelines " +
		"policy policies designed assist help ai",
	judgeRole: "think believe likely probably suggests suggest indicates consistent answer option",
	introRole: "understand appreciate thank thanks ai doctor physician licensed language",
})

func rolesOf(table map[role]string) map[string]role {
	out := make(map[string]role, 200)
	for r, list := range table {
		for _, word := range strings.Fields(list) {
			out[word] |= r
		}
	}
	return out
}

// does reports whether any of the words has one of the roles.
func does(words []string, set role) bool {
	return slices.ContainsFunc(words, func(w string) bool { return roles[w]&set != 0 })
}

// refuses reports whether a reply that holds no answer declines to give one: in English, at the start of a short
// reply, outside of its reasoning. That is about what the speaker is willing or allowed to do; what the case does not
// let anyone settle ("cannot be determined from the data") is an abstention. It errs on the side of no: a reply that
// declines and then turns to the matter is no refusal, and in a cut reply the sentence must have ended, for a "but" may
// have followed.
func refuses(reply string, cut bool) bool {
	end, open := reasoning(reply)
	if open < len(reply) {
		return false
	}
	text := reply[end:]
	if turn := nextTurn(text, 0); turn > 0 {
		text = text[:turn]
	}
	if text = strings.TrimSpace(text); len(text) > maxRefusal {
		return false
	}
	var sentences [][][]string
	for _, s := range Sentences(text) {
		if clauses := clausesOf(s.In(text)); len(clauses) > 0 {
			sentences = append(sentences, clauses)
		}
	}
	for i, clauses := range sentences[:min(2, len(sentences))] {
		ended := !cut || i < len(sentences)-1 || terminal(text)
		all, sorry := slices.Concat(clauses...), false
		for j, words := range clauses {
			if sorry = sorry || does(words, sorryRole); withholds(words, sorry) {
				return ended && !does(all, evidenceRole) && staysAway(clauses[j+1:], sentences[i+1:])
			}
		}
		if !does(all, sorryRole|introRole) {
			return false
		}
	}
	return false
}

// clausesOf splits a sentence into clauses of words in lower case, at commas and the like and before "but". What a
// prompt makes a model write in front, "Step 1:" or "Answer:", is a clause of its own.
func clausesOf(sentence string) [][]string {
	var out [][]string
	marks := func(r rune) bool { return strings.ContainsRune(",;:.!?()–—\n", r) }
	for _, clause := range strings.FieldsFunc(strings.ToLower(strings.ReplaceAll(sentence, "’", "'")), marks) {
		words := strings.FieldsFunc(clause, func(r rune) bool { return r != '\'' && (r < 'a' || r > 'z') })
		for len(words) > 0 {
			n := slices.IndexFunc(words[1:], func(w string) bool { return roles[w]&turnRole != 0 }) + 1
			if n == 0 {
				n = len(words)
			}
			if w := words[:n]; !slices.Equal(w, []string{"step"}) && !slices.Equal(w, []string{"answer"}) {
				out = append(out, w)
			}
			words = words[n:]
		}
	}
	return out
}

// withholds reports whether the speaker says in a clause that help or advice is not given: "but I can't help with
// that". After an apology the speaker need not be named, and "I can't" is enough.
func withholds(words []string, sorry bool) bool {
	speaks := sorry
	for i, word := range words {
		switch r := roles[word]; {
		case r&speakerRole != 0:
			speaks = true
		case r&unableRole != 0 && speaks:
			rest := words[i+1:]
			for len(rest) > 0 && roles[rest[0]]&(fillRole|unableRole) != 0 {
				rest = rest[1:]
			}
			if len(rest) == 0 {
				return sorry
			}
			verb, object := roles[rest[0]], rest[1:]
			switch {
			case does(object, patientRole):
			case verb&helpRole != 0 && len(object) == 0,
				verb&helpRole != 0 && roles[object[0]]&linkRole != 0 && does(object, requestRole|counselRole),
				verb&giveRole != 0 && does(object, counselRole):
				return true
			}
		}
	}
	return false
}

// staysAway reports whether nothing after a refusal turns to the matter: the clauses of its sentence from a "but" on
// and the sentences after it tell whom to ask, or speak of the speaker. The last words of a cut reply may say nothing.
func staysAway(clauses [][]string, sentences [][][]string) bool {
	turn := slices.IndexFunc(clauses, func(words []string) bool { return roles[words[0]]&turnRole != 0 })
	if turn >= 0 {
		sentences = append([][][]string{clauses[turn:]}, sentences...)
	}
	for i, s := range sentences {
		words := slices.Concat(s...)
		if i == len(sentences)-1 && len(words) < 4 {
			continue
		}
		if !does(words, referRole) || does(words, judgeRole) {
			return false
		}
	}
	return true
}

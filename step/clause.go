package step

import "strings"

// finite are verbs that make a clause of what stands before them. Those that medical prose has as a noun about as often
// ("results", "presents") are not among them: an opener that stays where it could go takes no claim with it.
var finite = wordSet(`is are was were am be isn't aren't wasn't weren't has have had hasn't haven't hadn't does do did doesn't don't didn't
	can can't cannot could couldn't will won't would wouldn't may might must should shouldn't shall
	seems seem appears appear looks needs need requires require suggests suggest indicates indicate means mean causes cause makes make
	gives give gets get goes go comes come becomes become fits fit points refers refer involves involve includes include contains contain
	leads lead affects affect works work acts occurs occur happens happen treats treat prevents prevent inhibits inhibit blocks block
	reduces reduce lowers produces produce remains remain develops develop begins begin starts start helps help explains explain
	supports belongs belong suffers suffer follows follow depends depend allows allow binds bind plays uses use tends tend lies stands
	says said used made gave got went came became showed caused led helped began`)

// relative are words behind which a verb belongs to a clause within the phrase before them.
var relative = wordSet("that which who whom whose where when because if although while since")

// persons are subjects that a verb follows at once.
var persons = wordSet("i he she it they we you there")

// contracted are ends of a subject with its verb.
var contracted = []string{"'re", "'ve", "'ll", "'d"}

// beings are the words whose "'s" is a verb.
var beings = wordSet("it's he's she's that's there's this's here's what's who's")

func wordSet(list string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(list) {
		out[w] = true
	}
	return out
}

// verbal reports whether a word is a verb, or a subject with its verb.
func verbal(w string) bool { return finite[w] || withVerb(w) }

// withVerb reports whether a word is a subject with its verb, as "it's".
func withVerb(w string) bool {
	for _, end := range contracted {
		if strings.HasSuffix(w, end) {
			return true
		}
	}
	return beings[w]
}

// clause reports whether the words begin with a subject and its verb, up to the first mark between them.
func clause(text string, words []word) bool {
	for i, w := range words {
		switch {
		case i > 0 && parted(text[words[i-1].end:w.start]):
			return false
		case i == 0 && withVerb(w.folded), i > 0 && verbal(w.folded):
			return true
		case i == 0 && finite[w.folded], i > 0 && relative[w.folded]:
			return false
		case i == 0 && persons[w.folded]:
			return len(words) > 1 && !parted(text[w.end:words[1].start])
		case i == 0 && relative[w.folded]:
			return len(words) > 1 && w.folded == "that" && finite[words[1].folded]
		}
	}
	return false
}

package battery

// kind is a kind of edit: the parameters that it needs, those that it may have, its word lists, what it must know
// besides the text, and how it is built.
type kind struct {
	needs, may, lists []string
	knows             Need
	build             func(p parameters) editor
}

// kinds are the kinds of edit by their names: those of the paper's battery, of the careful one, and the users' own.
var kinds = map[string]kind{
	"truncate":   {needs: []string{"keep"}, build: func(p parameters) editor { return truncate(p.Keep) }},
	"delete":     {build: func(parameters) editor { return deleteStep }},
	"substitute": {needs: []string{"shifts"}, build: func(p parameters) editor { return substitute(p.Shifts) }},
	"insert":     {needs: []string{"sentences"}, build: func(p parameters) editor { return insert(p.Sentences) }},
	"reorder":    {build: func(parameters) editor { return reorder }},
	"paraphrase": {needs: []string{"table"}, build: func(p parameters) editor { return paraphrase(p.table()) }},
	"commute": {needs: []string{"words"}, may: []string{"avoids"},
		build: func(p parameters) editor { return commute(p.Words, p.Avoids) }},
	"ablate":  {needs: []string{"protect"}, build: func(p parameters) editor { return ablate(p.Protect) }},
	"age":     {needs: []string{"brackets"}, build: func(p parameters) editor { return replaceAge(p.Brackets) }},
	"sex":     {needs: []string{"table"}, build: func(p parameters) editor { return flipSex(p.table()) }},
	"prepend": {needs: []string{"sentences"}, build: func(p parameters) editor { return prepend(p.Sentences) }},
	"replace": {needs: []string{"table"}, may: []string{"numbers"},
		build: func(p parameters) editor { return replaceFirst(p.table()) }},

	"sex-carried": {needs: []string{"table"}, lists: sexLists, build: func(p parameters) editor { return carrySex(p.Table, p.Lists) }},
	"age-carried": {needs: []string{"brackets", "stages"}, lists: ageLists,
		build: func(p parameters) editor { return carryAge(p.Brackets, p.Stages, p.Lists) }},
	"laboratory": {may: []string{"analytes"}, lists: laboratoryLists,
		build: func(p parameters) editor { return moveLaboratory(p.Analytes, p.Lists) }},
	"negation": {needs: []string{"table", "joins"}, lists: negationLists,
		build: func(p parameters) editor { return negate(p.table(), p.Joins, p.Lists) }},
	"guarded":    {needs: []string{"table"}, lists: guardedLists, build: func(p parameters) editor { return replaceGuarded(p.table(), p.Lists) }},
	"laterality": {needs: []string{"table"}, lists: sideLists, build: func(p parameters) editor { return mirror(p.table(), p.Lists) }},
	"dose":       {lists: doseLists, build: func(p parameters) editor { return tenfoldDose(p.Lists) }},
	"omit":       {lists: omitLists, build: func(p parameters) editor { return omit(p.Lists) }},
	"race":       {may: []string{"others"}, lists: raceLists, build: func(p parameters) editor { return changeRace(p.Others, p.Registers, p.Lists) }},
	"spelling":   {lists: spellingLists, build: func(p parameters) editor { return misspell(p.Lists) }},
	"restate":    {needs: []string{"conversions"}, build: func(p parameters) editor { return restate(p.Conversions) }},
	"substitute-clinical": {needs: []string{"shifts"}, lists: numberLists,
		build: func(p parameters) editor { return substituteClinical(p.Shifts, p.Lists) }},
	"hint":   {needs: []string{"sentences"}, knows: NeedsAnswer, build: func(p parameters) editor { return hint(p.Sentences) }},
	"donate": {knows: NeedsDonor, build: func(parameters) editor { return donate }},
	"fill":   {needs: []string{"sentences"}, build: func(p parameters) editor { return fill(p.Sentences) }},

	"regexp": {needs: []string{"find"}, may: []string{"to", "which", "ignore_case", "whole_words", "tokens"}, build: replacePattern},
}

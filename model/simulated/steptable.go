package simulated

// The sentences of simulated steps that hold or fail without regard to the question: all words are ours. None of them hedges,
// names a number, an age, a sex or a side, or begins with what a normaliser takes away.

// claim is a sentence that is true beside one on the same matter that is not.
type claim struct{ right, wrong string }

// general are claims about medicine.
var general = []claim{
	{"Insulin lowers the glucose in the blood.", "Insulin raises the glucose in the blood."},
	{"The kidneys excrete potassium.", "The kidneys do not excrete potassium."},
	{"Scurvy comes from a lack of vitamin C.", "Scurvy comes from a lack of vitamin K."},
	{"Arteries carry blood away from the heart.", "Arteries carry blood back to the heart."},
	{"Bacteria cause tuberculosis.", "A virus causes tuberculosis."},
	{"Warfarin slows the clotting of blood.", "Warfarin speeds the clotting of blood."},
	{"Iron is a part of hemoglobin.", "Copper is a part of hemoglobin."},
	{"Smoking raises the risk of lung cancer.", "Smoking lowers the risk of lung cancer."},
	{"Beta blockers slow the pulse.", "Beta blockers quicken the pulse."},
	{"Measles spreads through the air.", "Measles spreads only through food."},
	{"The thyroid lies in the neck.", "The thyroid lies in the pelvis."},
	{"Mosquitoes carry malaria.", "Ticks carry malaria."},
	{"Antibiotics do not cure the common cold.", "Antibiotics cure the common cold."},
	{"Anemia lowers the oxygen that the blood carries.", "Anemia raises the oxygen that the blood carries."},
	{"The liver makes albumin.", "The spleen makes albumin."},
	{"Asthma narrows the airways.", "Asthma widens the airways."},
}

// inferences are claims about what follows from a case.
var inferences = []claim{
	{"The findings so far leave several causes open.", "The findings so far leave no cause open but one."},
	{"The age alone does not settle the diagnosis.", "The age alone settles the diagnosis."},
	{"One symptom does not prove a disease.", "One symptom proves the disease."},
	{"What is not mentioned is not known to be absent.", "What is not mentioned is known to be absent."},
	{"The order of the options says nothing about the answer.", "The order of the options gives the answer away."},
	{"The course and the findings count together.", "The course makes all the other findings meaningless."},
}

// invented are findings that a case is said to have. One that it does have is not taken.
var invented = []string{
	"the patient fell from a ladder", "a snake bite preceded the illness", "a fishbone was swallowed", "the patient drank antifreeze",
	"a splinter was taken out of the thumb", "the patient came back from a voyage to the tropics",
}

// unclaimed are steps that claim nothing. A normaliser leaves nothing of the last two.
var unclaimed = []string{
	"We look at the options one by one.", "We go through what is given.", "The next step is to weigh the options.",
	"Let's think step by step.", "Let me think about each option.",
}

// What comes before a sentence and carries no claim, and sentences that are nothing but talk.
var (
	hedging = []string{"I think that", "I believe that", "Perhaps", "It seems that", "It is likely that", "As far as I know,"}
	opening = []string{"Okay, so", "Now,", "Hmm,", "Of course,", "So", "Let me see:", "Well,"}
	talk    = []string{"Let me double-check.", "I need to be careful here.", "That makes sense.", "Let's break it down."}
)

// rewording are words and what a paraphraser puts for them. No word stands on both sides, so that it can be undone.
var rewording = [][2]string{
	{"patient", "person treated"}, {"text", "vignette"}, {"says", "states"}, {"names", "mentions"}, {"old", "of age"}, {"times", "multiplied by"},
	{"plus", "added to"}, {"minus", "less"}, {"lowers", "reduces"}, {"raises", "increases"}, {"disease", "illness in question"}, {"findings", "observations"},
	{"do not", "don't"}, {"does not", "doesn't"}, {"lack", "shortage"}, {"cause", "origin"}, {"options", "choices"},
}

// reworded stands before a sentence in which a paraphraser found no word to change.
const reworded = "In other words,"

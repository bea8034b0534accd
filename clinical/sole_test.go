package clinical

import "testing"

var (
	inhibitors = lettered("Metabolic inhibitor", "Cell wall inhibitor", "Neutrophil migration inhibitor", "Prostaglandin inhibitor")
	doses      = lettered("3,000 units", "1,500 units", "6,000 units", "Cannot be calculated, as bioavailability is not known")
	dating     = lettered("Inform the patient that romantic relationships with current patients are unethical.",
		"Inform the patient that he will go on a date with her because her case is uncomplicated.",
		"Inform the patient that dating her will never be appropriate.",
		"Inform the patient that she will have to transfer her care to a different physician.")
)

// TestRecitedOptions: a list of the options, in their own words or in others, is no answer.
func TestRecitedOptions(t *testing.T) {
	const other = "Inform the patient that he will go on a date with her."
	for _, c := range []reading{
		{reply: "A. Inform the patient that romantic relationships with current patients are unethical.\nB. " + other + "\nC. " + other + "\nD. " + other},
		{reply: "A) Inform the patient that romantic relationships with current patients are unethical.\n\nB) " + other},
		{reply: "- A: Inform the patient that romantic relationships with current patients are unethical.\n- B: " + other},
		{reply: "**A.** Inform the patient that romantic relationships with current patients are unethical.\n**B.** " + other},
		{reply: "A. Inform the patient that romantic relationships with current patients are unethical. B. " + other},
		{reply: "A. Inform the patient that romantic relationships with current patients are unethical; B. " + other},
		{reply: "D. Inform the patient that she will have to transfer her care to a different physician.\nB. " + other},
		{reply: "A. Inform the patient that romantic relationships with current patients are unethical.", want: "A", how: "bare"},
		{reply: "A. Inform the patient that romantic relationships with current patients are unethical.\nB. " + other + "\n\nThe answer is B.", want: "B"},
		{reply: "A. Metoprolol.\nB. Acetazolamid.\nC. Warfarine.", options: drugs},
		{reply: "A. Metoprolol; B. Acetazolamid; C. Warfarine.", options: drugs},
		{reply: "B. Acetazolamide, as the eye pressure is high, unlike in scurvy from lack of vitamin C.", options: drugs, want: "B", how: "bare"},
	} {
		if c.options == nil {
			c.options = dating
		}
		check(t, c, false)
	}
}

// TestPraisedOptions: an option with its text, or its text alone, as the subject of praise.
func TestPraisedOptions(t *testing.T) {
	for _, c := range []reading{
		{reply: "A. Metoprolol is the best next treatment for this patient.", want: "A", how: "phrase"},
		{reply: "(C) Warfarin would be the most appropriate choice.", want: "C"},
		{reply: "C: Warfarin is the correct choice here.", want: "C"},
		{reply: "The clot must not grow.\n\nWarfarin is the best next treatment.", want: "C", how: "option-text"},
		{reply: "Warfarin is the most likely cause.", want: "C"},
		{reply: "Warfarin is most likely to cause it.\n"},
		{reply: "A. Metoprolol is not the best treatment."},
		{reply: "A. Metoprolol is the best treatment.\nC. Warfarin is the best treatment.", want: "?"},
		{reply: "Metoprolol is the best treatment. Warfarin is the best treatment.", want: "?"},
		{reply: "Warfarin is the most widely used of these."},
		{reply: "Warfarin is the best known of these."},
		{reply: "Warfarin is the best choice only if the valve is of metal."},
		{reply: "Warfarin is the best choice for a clot. However, there is none."},
		{reply: "Warfarin may be the best choice."},
		{reply: "If there is a clot, warfarin is the best choice."},
		{reply: "Is warfarin the best choice?"},
		{reply: "Warfarin is the best choice?"},
		{reply: "Warfarin-like drugs are the best choice."},
		{reply: "A. Metoprolol is a drug for the heart."},
		{reply: "Warfarinized blood is the best choice."},
		{reply: "Éwarfarin is the best choice."},
	} {
		check(t, c, false)
	}
}

// TestAmounts: an option that is an amount may be followed by what it is an amount of.
func TestAmounts(t *testing.T) {
	for _, c := range []reading{
		{reply: "The most appropriate loading dose is 3,000 units.", want: "A"},
		{reply: "The most appropriate loading dose for this patient is 3,000 units of heparin.", want: "A", how: "option-text"},
		{reply: "A. 3,000 units\nB. 1,500 units\nC. 6,000 units\n\nThe best dose is 6,000 units of heparin. This is high.", want: "C"},
		{reply: "The answer is 1,500 units of heparin, by weight.", want: "B"},
		{reply: "The most appropriate loading dose is 13,000 units of heparin."},
		{reply: "The most appropriate loading dose is 3,000 units per hour."},
		{reply: "The most appropriate loading dose is not 3,000 units of heparin."},
		{reply: "The most appropriate loading dose is 3,2 units of heparin."},
		{reply: "The most likely cause is carcinoma of the colon.", options: lettered("Carcinoma", "Adenoma")},
	} {
		if c.options == nil {
			c.options = doses
		}
		check(t, c, false)
	}
}

// TestSoleOption: a plain sentence names the one option that the reply names.
func TestSoleOption(t *testing.T) {
	imprinting := lettered("Expansion of a CTG trinucleotide repeat", "Isolated GnRH deficiency", "Sex-specific epigenetic imprinting", "Non-disjunction of sex chromosomes")
	for _, c := range []reading{
		{reply: "The mechanism of action of the drug is a cell wall inhibitor.", options: inhibitors, want: "B", how: "option-text"},
		{reply: "The drug is penicillin.\n\nThus, the mechanism is a cell wall inhibitor.", options: inhibitors, want: "B"},
		{reply: "The pathophysiology underlying this patient's disorder is sex-specific epigenetic imprinting. This is a rare disorder of the sex chromosomes.", options: imprinting, want: "C"},
		{reply: "It causes weakness of the heart.\n\nThe most likely cause of this condition is Warfarin. Warfarin thins the blood.\n\nWarfarin is a drug.", want: "C", how: "option-text"},
		{reply: "The next step would be warfarin.\n\nIt thins the blood.", want: "C"},
		// another option is named, in whatever way
		{reply: "The mechanism of the drug is a cell wall inhibitor. A metabolic inhibitor acts elsewhere.", options: inhibitors},
		{reply: "The mechanism of the drug is a cell wall inhibitor. Option A acts elsewhere.", options: inhibitors},
		{reply: "The mechanism is a cell wall inhibitor.\n\nA. Metabolism is not touched.", options: inhibitors},
		{reply: "The most likely cause is warfarin. It thins the blood.\n\nMetoprolol is a drug."},
		{reply: "The most likely cause is warfarin.\n\nThe most likely cause is metoprolol.\n\nBoth are drugs."},
		{reply: "The mechanism is a cell wall inhibitor or a prostaglandin inhibitor.", options: inhibitors},
		// weighed, general or about something else
		{reply: "The mechanism might be a cell wall inhibitor.", options: inhibitors},
		{reply: "The mechanism is not a cell wall inhibitor.", options: inhibitors},
		{reply: "The mechanism is a cell wall inhibitor only if it is penicillin.", options: inhibitors},
		{reply: "The mechanism is a cell wall inhibitor, but the fever points elsewhere.", options: inhibitors},
		{reply: "The mechanism is a cell wall inhibitor. But the fever points elsewhere.", options: inhibitors},
		{reply: "The treatment is warfarin. It is given for months.\n\nHere warfarin is not needed."},
		{reply: "If it is penicillin, the mechanism is a cell wall inhibitor.", options: inhibitors},
		{reply: "Is the mechanism a cell wall inhibitor?", options: inhibitors},
		{reply: "The mechanism is a cell wall inhibitor?", options: inhibitors},
		{reply: "The mechanism is cell wall inhibitors.", options: inhibitors},
		{reply: "This is a cell wall inhibitor.", options: inhibitors},
		{reply: "The patient takes a cell wall inhibitor.", options: inhibitors},
		{reply: "The first step is to secure the airway. The next step is warfarin."},
		{reply: "The current treatment is warfarin."},
		{reply: "The usual treatment of a clot is warfarin."},
		{reply: "Another treatment is warfarin."},
		{reply: "It is known.\n\nThe treatment is warfarin.\n\nIt may bleed."},
		{reply: "Most of the drugs that cause it are warfarin.\n\nThat is known."},
		{reply: "The test is no.", options: labels},
	} {
		check(t, c, false)
		if c.want != "" {
			c.want, c.how = "", ""
			check(t, c, true) // no statement of the answer, so a cut reply has none
		}
	}
}

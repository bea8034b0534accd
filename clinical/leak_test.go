package clinical

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestNamesFindTheGold(t *testing.T) {
	tests := []struct{ gold, text string }{
		{"Kaposi's sarcoma", "Biopsy showed Kaposi sarcoma."},
		{"Kaposi sarcoma", "Kaposi’s sarcomas were excised."},
		{"Tularemia", "The serology for tularaemia was positive."},
		{"Oesophageal atresia", "Imaging showed esophageal atresia."},
		{"Amyotrophic lateral sclerosis (ALS)", "She had definite ALS."},
		{"Amyotrophic lateral sclerosis", "She had definite ALS."},
		{"Amyotrophic lateral sclerosis", "It was thought to be motor neurone disease or motor neuron disease."},
		{"Lung carcinoma", "This was a carcinoma of the lung."},
		{"Carcinoma of the lung", "This was a lung carcinoma."},
		{"Renal tuberculosis", "He had tuberculosis of the kidney."},
		{"Pancreatic acinar cell carcinoma", "It was an acinar cell carcinoma of the pancreas."},
		{"Invasive mucormycosis with rhino-cerebral involvement", "Mucormycosis was seen on the smear."},
		{"Rhino-cerebral mucormycosis", "A rhinocerebral mucormycosis was feared."},
		{"Non-ST-Elevation Myocardial Infarction (NSTEMI)", "He had a non ST elevation myocardial infarction."},
		{"Cauda equina syndrome secondary to displaced sacral fracture", "Cauda equina syndrome was suspected."},
		{"Severe iron deficiency anemia due to bleeding", "The blood count suggested iron-deficiency anaemia."},
		{"Levofloxacin-induced rhabdomyolysis", "He developed rhabdomyolysis."},
		{"Glucose-6-phosphate dehydrogenase (G6PD) deficiency", "The G6PD level was low."},
		{"Giant ovarian cyst", "A cyst of the ovary was drained."},
		{"Displaced and impacted radial neck fracture", "A fracture of the radial neck was seen."},
		{"COVID-19 pneumonia", "The swab was positive for SARS-CoV-2."},
		{"Crohn's disease", "Crohn disease was diagnosed in 2018."},
		{"Acute promyelocytic leukemia", "The blasts were those of promyelocytic leukaemia."},
		{"Deep vein thrombosis", "Two DVTs were found."},
		{"Brucellosis", "Cultures grew Brucella."},
		{"Based on the case presentation, the diagnosis of Melkersson-Rosenthal syndrome was made.", "Melkersson-Rosenthal syndrome was considered."},
		{"Hepatitis A", "It was hepatitis A."},
	}
	for _, tt := range tests {
		if _, found := NamesOf(tt.gold).In(tt.text); !found {
			t.Errorf("%q is not found in %q; forms %q", tt.gold, tt.text, NamesOf(tt.gold).Forms())
		}
	}
}

func TestNamesLeaveOtherTextAlone(t *testing.T) {
	tests := []struct{ gold, text string }{
		{"Renal failure", "The adrenal failure was treated."},
		{"Renal cyst", "An adrenal cyst was seen."},
		{"Acute syndrome", "This acute syndrome was unclear."},
		{"Down syndrome", "A nephrotic syndrome developed."},
		{"Wilson disease", "A liver disease was likely; Dr. Wilson was called."},
		{"Hepatitis A", "Hepatitis B serology was negative, and hepatitis was unlikely."},
		{"Amyotrophic lateral sclerosis (ALS)", "She was also weak."},
		{"Lung cancer", "The lungs were clear, and there was no cancer in the family."},
		{"Pulmonary arterial hypertension", "He had arterial hypertension for years."},
		{"Progressive Pseudorheumatoid Dysplasia", "The PPD test was negative."},
		{"Acute rhododendron intoxication", "There were no signs of ARI."},
		{"Squamous cell carcinoma of the cervix", "The cervix was normal on inspection."},
		{"Subacute thyroiditis, likely related to AstraZeneca COVID-19 vaccination", "The COVID-19 vaccination was two weeks ago."},
		{"Infective endocarditis", "No signs of infection were seen on the endocardium."},
		{"Gout", "The patient felt throughout the day well."},
		{"Stage II (T2aN0M0) gallbladder cancer", "The stage II disease was resected."},
		{"Myocardial infarction", "A cerebral infarction was excluded."},
		{"Type 1 diabetes mellitus", "Type 2 was never an issue."},
		{"The patient presented with fever, dyspnea, and", "The patient presented with fever."},
	}
	for _, tt := range tests {
		if form, found := NamesOf(tt.gold).In(tt.text); found {
			t.Errorf("%q is found in %q as %q", tt.gold, tt.text, form)
		}
	}
}

// A diagnosis of generic words alone has no form: every second sentence would be a leak.
func TestGenericDiagnosesHaveNoForm(t *testing.T) {
	for _, gold := range []string{"", "()", "Syndrome", "Acute infection", "Disease", "severe tumor", "Chronic disorder of", "Type 2", "kidney"} {
		if n := NamesOf(gold); !n.Empty() {
			t.Errorf("%q has the forms %q", gold, n.Forms())
		}
	}
}

func TestAcronymsAreLearnedFromTheText(t *testing.T) {
	n := NamesOf("Scrub typhus")
	if _, found := n.In("ST was confirmed."); found {
		t.Fatal("two initials are guessed")
	}
	learned := n.Learned("Scrub typhus (ST) was suspected. A complete blood count (CBC) was taken.")
	if _, found := learned.In("ST was confirmed."); !found {
		t.Error("an acronym that the text defines is not known")
	}
	if _, found := learned.In("The CBC was normal."); found {
		t.Error("an acronym of something else is taken for the gold's")
	}
	if _, found := n.In("ST was confirmed."); found {
		t.Error("the names of one text reached those of all texts")
	}
	guessed := NamesOf("Primary biliary cholangitis")
	if _, found := guessed.In("PBC was likely."); !found {
		t.Error("initials are not guessed")
	}
	other := guessed.Learned("Packed blood cells (PBC) were given.")
	if _, found := other.In("Two units of PBC."); found {
		t.Error("initials that the text defines for something else are kept")
	}
}

func TestFoldDiagnosis(t *testing.T) {
	same := [][2]string{{"Wilson disease", "Wilson's Disease"}, {"Kaposi's sarcoma", "kaposi sarcoma"}, {"Haemochromatosis", "hemochromatosis"},
		{"T/NK-cell lymphoma", "T NK cell lymphomas"}, {"Amyotrophic lateral sclerosis (ALS)", "Amyotrophic lateral sclerosis"},
		{"Guillain-Barré syndrome", "Guillain-Barre syndrome"}, {"Diverticula", "diverticulum"}}
	for _, p := range same {
		if a, b := FoldDiagnosis(p[0]), FoldDiagnosis(p[1]); a != b || a == "" {
			t.Errorf("%q is %q, %q is %q", p[0], a, p[1], b)
		}
	}
	other := [][2]string{{"Hepatitis A", "Hepatitis B"}, {"Brucellosis", "Other brucellosis"}, {"Rosacea", "Rosacea, unspecified"},
		{"Renal cyst", "Adrenal cyst"}, {"Hypothyroidism", "Hyperthyroidism"}}
	for _, p := range other {
		if FoldDiagnosis(p[0]) == FoldDiagnosis(p[1]) {
			t.Errorf("%q and %q are one", p[0], p[1])
		}
	}
	if got := FoldDiagnosis("[bilharziasis]"); got != "bilharziasis" {
		t.Errorf("a name in brackets alone is %q", got)
	}
}

func TestDistinctDiagnoses(t *testing.T) {
	kept, merged := DistinctDiagnoses([]string{"Wilson disease", " Gout ", "Wilson's disease", "", "gout"})
	if !slices.Equal(kept, []string{"Wilson disease", "Gout"}) || !slices.Equal(merged, []int{2, 4}) {
		t.Errorf("kept %q, merged %v", kept, merged)
	}
}

func TestParagraphDiagnosis(t *testing.T) {
	for s, want := range map[string]bool{
		"Gout": false, "Stage IV primary signet ring cell carcinoma of the rectum with metastasis": false,
		"The patient presented with fever, dyspnea, and": true, "Based on the case presentation, gout": true,
		"A woman had gout. A man had none.": true, strings.Repeat("word ", 31): true,
		"Hemorrhagic shock (St. Elsewhere)": false,
	} {
		if got := ParagraphDiagnosis(s); got != want {
			t.Errorf("%q: %v, want %v", s, got, want)
		}
	}
}

// Every name of the table is found, and finds the other names of its line.
func TestSynonyms(t *testing.T) {
	for joined, names := range tables().synonyms {
		if joined == "" || len(names) == 0 {
			t.Errorf("an empty line of synonyms: %q %q", joined, names)
		}
	}
	sections, err := readSections(leakTables)
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range sections["synonyms"] {
		names := strings.Split(line, " | ")
		if len(names) < 2 {
			t.Errorf("%q has no synonym", line)
		}
		for _, other := range names {
			if isAcronym(names[0]) || generic(termsOf(other)) && !isAcronym(other) {
				continue
			}
			if _, found := NamesOf(names[0]).In("It was " + other + " after all."); !found {
				t.Errorf("%q is not found for %q", other, names[0])
			}
		}
	}
	if _, err := readTables("word\n[generic]\n"); err == nil || !strings.Contains(err.Error(), "line 1") {
		t.Errorf("a word before the first section: %v", err)
	}
}

// A name of two made-up words is found between other words in any case and hyphenation, and never inside longer words.
func TestNamesAtWordBorders(t *testing.T) {
	word := rapid.StringMatching(`[bdfgklmnprt][aou][bdfgklmnprt]{2}[aou][bdfgklmnprt]`)
	rapid.Check(t, func(t *rapid.T) {
		a, b := word.Draw(t, "a"), word.Draw(t, "b")
		n := NamesOf(a + " " + b)
		for _, text := range []string{"It is " + a + " " + b + ".", "(" + strings.ToUpper(a) + "-" + b + ")", a + "\n" + b + "s"} {
			if _, found := n.In(text); !found {
				t.Fatalf("%q not in %q", a+" "+b, text)
			}
		}
		for _, text := range []string{"x" + a + " " + b, a + " " + b + "q", a + "y " + b} {
			if form, found := n.In(text); found {
				t.Fatalf("%q in %q", form, text)
			}
		}
	})
}

func TestNamesNeverPanic(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		gold := rapid.OneOf(rapid.String(), rapid.StringMatching(`[a-z ()/,;'-]{0,40}`)).Draw(t, "gold")
		text := rapid.String().Draw(t, "text")
		NamesOf(gold).Learned(text + " (" + gold + ")").In(text)
		FoldDiagnosis(gold)
		ParagraphDiagnosis(gold)
	})
}

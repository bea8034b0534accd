package chain

import "strings"

// acute are the eighteen high-acuity terms of the chain paper, Appendix F.
var acute = [...]string{
	"cancer", "carcinoma", "malignant", "metastasis", "sepsis", "septic", "shock", "myocardial infarction", "stroke",
	"embolism", "anaphylaxis", "tamponade", "hemorrhage", "meningitis", "appendicitis", "perforation", "ectopic",
	"diabetic ketoacidosis",
}

// HighAcuity reports whether an option's text names a high-acuity condition: it contains, case-folded, any of the
// eighteen terms of the chain paper's Appendix F as a substring. The published list is kept as it is: "haemorrhage"
// and "malignancy" are none of its terms, "no shock" contains one.
func HighAcuity(text string) bool {
	folded := strings.ToLower(text)
	for _, term := range acute {
		if strings.Contains(folded, term) {
			return true
		}
	}
	return false
}

package clinical

// Steps splits a chain into its steps: on "Step n:" markers at the beginning of a line where there are any, else on
// blank lines. The spans tile the chain: joined, they are the chain byte for byte. (Chain paper, Appendix F.)
func Steps(chain string) []Span { panic("to be written") }

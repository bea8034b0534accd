package judge

// StepsFile is the embedded rubric of steps.
func StepsFile() []byte { return stepsYAML }

// Package scope finds the variables that templates and conditions can use at each place of a form, and those that a path has not collected.
//
// Paths follow the pointers, and every way may be taken; see flow.Prove. A path collects a field when it leaves a step that asks for the
// field by the step's next node, because only then the answers are checked. So a field counts as collected once it was asked and its answer
// accepted: an optional field may have been left empty, and a respondent may come back and empty a field. Jump and previous buttons keep
// the answers, but a required field may be unanswered: a path that leaves a step by one of them may collect the field, but misses it as far
// as the package can say. A hidden field is collected at the start, whether its value is in the form or comes with the run.
//
// The value of a field changes only when its step is left, so the texts of a step see the fields of the same step only if a respondent
// comes back to it. Default values are treated alike, although they are filled in when the step is shown for the first time.
//
// The places of templates are the texts and default values of components, also translated, the conditions of rules, the values of hidden
// fields, the ending, and the texts of refusals, which any step with a field may show. Other strings, such as custom messages, are not
// evaluated; see run.Behaviour and run.Choices.
//
// The package neither runs a form nor knows package run, so the editor's program can link it.
package scope

package run

// Behaviour lists our choices about what a run does, for the reference and the preview.
var Behaviour = []Choice{
	{
		"Next buttons",
		"A next button checks the answers of its step and continues only if all of them are accepted. A component that may continue by " +
			"itself, and one of an unknown kind, continues like a next button when it is pressed.",
	},
	{
		"Jump and previous buttons",
		"They do not check the answers but keep them: in their final form if they are accepted, and otherwise as given.",
	},
	{
		"The previous step",
		"A previous button goes back to the step that was left last by another button, past flows and routers, and undoes nothing else: " +
			"answers and variables stay. At the first step it cannot be pressed.",
	},
	{
		"A field that is asked again",
		"It keeps its answer until the respondent changes it. If two steps have a field with the same id, they share the answer.",
	},
	{
		"Default values",
		"A default value is filled in when a field is shown for the first time, with its templates evaluated at that moment. It is an answer " +
			"only once the step is left.",
	},
	{
		"Required legal fields",
		"The answer must be true. For other required fields, false and 0 are answers.",
	},
	{"Unanswered fields", "They are absent from fields, so {{fields.x}} is undefined. Removing an answer makes the field absent again."},
	{
		"Hidden fields",
		"A value that comes with the run replaces the value in the form, whose templates are evaluated at the start. A hidden field without a " +
			"value, or with an empty one, is absent. Values from outside are not checked.",
	},
	{
		"Answers given in advance",
		"A value that comes with the run under the id of a component is the content of its control when it is first shown. Until then " +
			"conditions and templates read it unchecked.",
	},
	{"Results of flows", "Each member of the result replaces the variable of the same name; other variables stay. Objects are not combined."},
	{"Errors of flows", "If a flow fails, the run stops at the flow. If the flow of a resend button fails, it stops at the step."},
	{
		"Resend buttons",
		"The flow runs while the step stays on the screen, and its result becomes variables. Each press is one of max_attempts, even if the " +
			"run leaves the step and returns. If waiting_time is set, the button cannot be pressed again until that time has passed.",
	},
	{
		"Routers",
		"The first rule that applies decides, else the fallback. The rules are judged again at each visit.",
	},
	{
		"Routers that cannot be evaluated",
		"If a rule cannot be evaluated before one applies, the run asks which way to take: such a rule, a rule that applies after it, or the " +
			"fallback if none applies.",
	},
	{
		"Routers that lead in a circle",
		"If routers lead back to each other without a step or flow between them, the run stops, because nothing can change on the way.",
	},
	{
		"Ways without a target",
		"The run stops at a node whose way has no target, leads to a node that does not exist, or leads to a node of an unknown type.",
	},
	{"Nodes with the same id", "Pointers lead to the first of them."},
	{"The ending", "A redirection is shown with its templates evaluated, and is not followed."},
	{
		"Time and chance",
		"A run reads the clock once for each event. Random numbers and UUIDs are derived from a seed and the path, so a run can be repeated, " +
			"and texts do not change while a step is on the screen.",
	},
	{
		"Another language during a run",
		"Answers stay, and texts and refusals change.",
	},
	{
		"A form that is edited during a run",
		"The run stays at its node with its answers if the form still has that node with the same type. Otherwise it goes back to the last " +
			"moment for which this holds. A router judges again.",
	},
}

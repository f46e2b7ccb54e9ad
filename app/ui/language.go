package ui

import "github.com/formgraph/formgraph/app/ui/words"

// t is the language of the screen.
var t = words.T

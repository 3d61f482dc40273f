package lists

import _ "embed" // the list

// Familiar is the list of what people are called by custom: a line is a first
// name with its variants, a colon, and its familiar forms; "#" opens a comment.
//
//go:embed data/familiar.txt
var Familiar string

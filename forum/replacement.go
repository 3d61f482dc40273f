package forum

// Replacement gives what Treat writes in a finding's place, and in which style:
// the table of replacements that step 6 checks is made of these.
func (e *Engine) Replacement(f *Finding) (string, Style, error) { return e.style.replacement(f) }

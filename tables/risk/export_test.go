package risk

// The helpers that the tests outside the package share.
var (
	PopulationOf = population
	Profiles     = profiles
)

package risk

// The helpers that the tests outside the package share.
var (
	PopulationOf = population
	Profiles     = profiles
)

// AbsentCell in a row says that the person is not in the table.
const AbsentCell = absentCell

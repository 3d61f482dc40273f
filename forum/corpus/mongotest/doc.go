// Package mongotest tries the forum's MongoDB source and target against a real
// server: FerretDB, which speaks MongoDB's protocol and keeps its documents in
// SQLite or PostgreSQL. It is a module of its own because the server weighs
// 36 MB, and holds tests only.
//
//	go test ./...                            in this folder; part of "make test"
//	go test -run '^$' -bench . -benchtime 1x  with 100,000 posts
package mongotest

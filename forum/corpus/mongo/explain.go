package mongo

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"strings"

	"go.mongodb.org/mongo-driver/v2/mongo"

	"anonymooc/internal/fault"
)

// The codes of MongoDB's errors that are told apart.
const (
	codeUnauthorized         = 13
	codeAuthenticationFailed = 18
	codeNamespaceNotFound    = 26
	codeCursorNotFound       = 43
	codeMechanism            = 334
)

// passing are codes of errors that go by: a server that steps down, starts or
// stops, a cursor that was forgotten, a time that ran out.
var passing = map[int]bool{
	6: true, 7: true, codeCursorNotFound: true, 50: true, 89: true, 91: true, 134: true, 189: true, 237: true, 262: true,
	9001: true, 10107: true, 11600: true, 11602: true, 13435: true, 13436: true,
}

// passes reports whether trying again may help.
func passes(err error) bool {
	if refusesLogin(err) || untrusted(err) {
		return false
	}
	var server mongo.ServerError
	if errors.As(err, &server) {
		for _, code := range server.ErrorCodes() {
			if passing[code] {
				return true
			}
		}
		return server.HasErrorLabel("NetworkError")
	}
	return mongo.IsNetworkError(err) || mongo.IsTimeout(err) || unreachable(err)
}

func refusesLogin(err error) bool {
	var server mongo.ServerError
	if errors.As(err, &server) && (server.HasErrorCode(codeAuthenticationFailed) || server.HasErrorCode(codeMechanism)) {
		return true
	}
	// The driver has no public type for what it says when it cannot log in.
	return strings.Contains(err.Error(), "auth error")
}

func untrusted(err error) bool {
	var authority x509.UnknownAuthorityError
	var host x509.HostnameError
	var invalid x509.CertificateInvalidError
	var record tls.RecordHeaderError
	if errors.As(err, &authority) || errors.As(err, &host) || errors.As(err, &invalid) || errors.As(err, &record) {
		return true
	}
	return strings.Contains(err.Error(), "x509: ") || strings.Contains(err.Error(), "tls: ")
}

func unreachable(err error) bool {
	return strings.Contains(err.Error(), "server selection") || strings.Contains(err.Error(), "connection(")
}

// explain says what is wrong with a server. The driver's own words may name hosts,
// users and documents: none of them are passed on.
func explain(err error) error {
	var known *fault.Fault
	if errors.As(err, &known) || errors.Is(err, context.Canceled) {
		return err
	}
	f := fault.New(fault.Failure, "the forum's server gave an answer that cannot be used")
	var command mongo.CommandError
	var server mongo.ServerError
	switch {
	case refusesLogin(err):
		f.What = "the forum's server refuses the user or the password"
		return f.WithHint("is authSource right? It is often admin: mongodb://user:password@host/?authSource=admin")
	case errors.As(err, &server) && server.HasErrorCode(codeUnauthorized):
		f.What = "the user may not do this on the forum's server"
		return f.WithHint("a source wants the role read on its database, a target readWrite")
	case untrusted(err):
		f.What = "the forum's server cannot be trusted: its certificate does not fit"
		return f.WithHint("tlsCAFile=PATH in the connection string names the authority; tls=true or false must be as the server is set up")
	case mongo.IsDuplicateKeyError(err):
		f.What = "two documents have the same _id"
		return f.WithHint("is somebody else writing to the collection?")
	case errors.As(err, &command) && command.Code != 0 && !passing[int(command.Code)]:
		f.What = "the forum's server refuses a command"
		if command.Name != "" && !strings.ContainsAny(command.Name, " :\"'") { // a fixed vocabulary
			f.What += ": " + command.Name
		}
		return f
	case mongo.IsTimeout(err) || mongo.IsNetworkError(err) || unreachable(err) || passes(err):
		f.What = "the forum's server cannot be reached, or does not answer in time"
		return f.WithHint("is the address right, may this machine connect to it, and is the server up?")
	}
	return f.WithHint("does mongosh connect with the same connection string?")
}

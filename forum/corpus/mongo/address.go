package mongo

import (
	"bytes"
	"net/url"
	"os"
	"strings"

	"anonymooc/internal/fault"
	"anonymooc/internal/secret"
)

// longestURI bounds what is read for a connection string.
const longestURI = 16 << 10

// Address finds a connection string: "env:NAME" in the environment, "file:PATH"
// in a file that nobody else may read, "-" at a prompt. The string itself is taken
// only when it holds no secret: a process list and the shell's history show it.
func Address(spec string, ask func(question string) ([]byte, error)) (secret.Secret, error) {
	switch {
	case spec == "-":
		text, err := ask("connection string of the forum's server")
		return trimmed(text, err)
	case strings.HasPrefix(spec, "env:"):
		text, found := os.LookupEnv(strings.TrimPrefix(spec, "env:"))
		if !found {
			return secret.Secret{}, fault.New(fault.Usage, "the environment has no variable of this name for the connection string").
				WithHint("export it first, or put the string into a file (0600) and give file:PATH")
		}
		return trimmed([]byte(text), nil)
	case strings.HasPrefix(spec, "file:"):
		kept, err := secret.ReadPrivate(strings.TrimPrefix(spec, "file:"), longestURI)
		return trimmed(kept.Reveal(), err)
	case !strings.HasPrefix(spec, "mongodb://") && !strings.HasPrefix(spec, "mongodb+srv://"):
		return secret.Secret{}, fault.New(fault.Usage, "the forum's server is named by file:PATH, env:NAME, - for a prompt, or mongodb://host").
			WithHint("a connection string with a password belongs into a file (0600) or a variable")
	case holdsSecret(spec):
		return secret.Secret{}, fault.New(fault.Usage, "a connection string with credentials does not belong on a command line, where others see it").
			WithHint("put it into a file (0600) and give file:PATH, or export a variable and give env:NAME; change the password, it may be in the shell's history now")
	}
	return secret.New([]byte(spec)), nil
}

// trimmed takes the line end of a file off.
func trimmed(text []byte, err error) (secret.Secret, error) {
	if err != nil {
		return secret.Secret{}, err
	}
	text = bytes.TrimSpace(text)
	if len(text) == 0 {
		return secret.Secret{}, fault.New(fault.Usage, "the connection string is empty")
	}
	return secret.New(text), nil
}

// openOptions are the options of a connection string that hold no secret.
var openOptions = []string{"tls", "ssl", "replicaset", "readpreference", "readpreferencetags", "authsource", "directconnection", "connecttimeoutms",
	"serverselectiontimeoutms", "sockettimeoutms", "timeoutms", "retryreads", "retrywrites", "compressors", "maxpoolsize", "appname", "loadbalanced",
	"tlscafile", "maxstalenessseconds", "readconcernlevel", "w", "tlsinsecure", "tlsallowinvalidcertificates", "tlsallowinvalidhostnames", "tlscertificatekeyfile", "authmechanism"}

// holdsSecret reports whether a connection string names somebody or an option that
// may be a secret.
func holdsSecret(uri string) bool {
	_, rest, _ := strings.Cut(uri, "://")
	if strings.Contains(rest, "@") {
		return true
	}
	_, query, _ := strings.Cut(rest, "?")
	values, err := url.ParseQuery(query)
	if err != nil {
		return true
	}
	for name := range values {
		known := false
		for _, open := range openOptions {
			known = known || strings.EqualFold(name, open)
		}
		if !known {
			return true
		}
	}
	return false
}

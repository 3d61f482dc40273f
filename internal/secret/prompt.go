package secret

import (
	"bufio"
	"bytes"
	"fmt"
	"os"

	"anonymooc/internal/fault"

	"golang.org/x/term"
)

// Prompt asks for a passphrase on the terminal, without showing what is
// typed. A new passphrase is asked for twice.
func Prompt(question string, isNew bool) (Key, error) {
	first, err := Ask(question)
	if err != nil {
		return Key{}, err
	}
	key, err := passphrase(first)
	if err != nil || !isNew {
		return key, err
	}
	second, err := Ask("once more")
	if err != nil {
		return Key{}, err
	}
	if !bytes.Equal(first, second) {
		return Key{}, fault.New(fault.Usage, "the two passphrases differ")
	}
	return key, nil
}

// Ask reads one line from the terminal without showing it.
func Ask(question string) ([]byte, error) {
	return ask(question, func(terminal *os.File) ([]byte, error) {
		defer fmt.Fprintln(terminal)
		return term.ReadPassword(int(terminal.Fd()))
	})
}

// AskShown reads one line from the terminal, which shows it: an identifier, or
// the answer to a question. It does not go through the shell's history.
func AskShown(question string) ([]byte, error) {
	return ask(question, func(terminal *os.File) ([]byte, error) {
		return bufio.NewReader(terminal).ReadBytes('\n')
	})
}

func ask(question string, read func(*os.File) ([]byte, error)) ([]byte, error) {
	terminal, err := os.OpenFile("/dev/tty", os.O_RDWR, 0)
	if err != nil {
		return nil, fault.New(fault.Usage, "no terminal to ask on").
			WithHint("give the passphrase by --passphrase-file or --passphrase-fd, identifiers by --from")
	}
	defer terminal.Close()
	fmt.Fprintf(terminal, "%s: ", question)
	line, err := read(terminal)
	if err != nil {
		return nil, fault.New(fault.Failure, "nothing was typed").Because(err)
	}
	return line, nil
}

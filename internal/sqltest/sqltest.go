// Package sqltest starts real database servers for tests: Debian's MariaDB and
// PostgreSQL, as an unprivileged user, in a folder of the test's own, reachable from
// this machine only. They end with the test.
package sqltest

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"anonymooc/internal/debian"
)

// Password is the superuser's, on both servers. It needs quoting in a URL.
const Password = "p@ss:w/rd"

// Server is a running database server.
type Server struct {
	Address string // host:port
	User    string // superuser
	t       testing.TB
	command *exec.Cmd
	client  func(database, sql string) *exec.Cmd
	dump    func(database string, flags ...string) *exec.Cmd
}

// mostWait bounds how long a server may take to begin.
const mostWait = 2 * time.Minute

// unprivileged lets a command run as nobody: servers refuse to be root. Its temporary
// files stay in its folder, because one MariaDB removes those of another.
func unprivileged(t testing.TB, command *exec.Cmd, folder string) *exec.Cmd {
	t.Helper()
	command.Dir = folder
	command.Env = append(os.Environ(), "TMPDIR="+folder)
	if os.Geteuid() != 0 {
		return command
	}
	nobody, err := user.Lookup("nobody")
	if err != nil {
		t.Fatal(err)
	}
	uid, _ := strconv.Atoi(nobody.Uid)
	gid, _ := strconv.Atoi(nobody.Gid)
	if err := os.Chown(folder, uid, gid); err != nil {
		t.Fatal(err)
	}
	command.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}}
	return command
}

// folder makes a folder that an unprivileged user can reach.
func folder(t testing.TB) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "anonymooc-sql-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	})
	return dir
}

func freePort(t testing.TB) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return strconv.Itoa(l.Addr().(*net.TCPAddr).Port)
}

func must(t testing.TB, command *exec.Cmd) {
	t.Helper()
	if out, err := command.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", filepath.Base(command.Path), err, out)
	}
}

// MariaDB starts a MariaDB server.
func MariaDB(t testing.TB) *Server {
	t.Helper()
	server := debian.Program(t, "mariadb-server", "mariadbd", "/usr/sbin/mariadbd", "/usr/libexec/mariadbd")
	install := debian.Program(t, "mariadb-server", "mariadb-install-db")
	client, dump := debian.Program(t, "mariadb-server", "mariadb"), debian.Program(t, "mariadb-server", "mariadb-dump")
	dir, port := folder(t), freePort(t)
	data, socket := filepath.Join(dir, "data"), filepath.Join(dir, "socket")
	must(t, unprivileged(t, exec.Command(install, "--no-defaults", "--datadir="+data, "--auth-root-authentication-method=normal", "--skip-test-db"), dir))
	s := &Server{Address: "127.0.0.1:" + port, User: "root", t: t}
	s.command = unprivileged(t, exec.Command(server, "--no-defaults", "--datadir="+data, "--socket="+socket, "--port="+port, "--bind-address=127.0.0.1",
		"--pid-file="+filepath.Join(dir, "pid"), "--innodb-buffer-pool-size=16M", "--max-allowed-packet=64M"), dir)
	login := []string{"--no-defaults", "--protocol=tcp", "--host=127.0.0.1", "--port=" + port, "--user=root", "--default-character-set=utf8mb4"}
	s.client = func(database, sql string) *exec.Cmd {
		c := exec.Command(client, append(login, "--batch", database)...)
		c.Stdin = strings.NewReader(sql)
		c.Env = append(os.Environ(), "MYSQL_PWD="+Password)
		return c
	}
	s.dump = func(database string, flags ...string) *exec.Cmd {
		c := exec.Command(dump, append(append(login, flags...), database)...)
		c.Env = append(os.Environ(), "MYSQL_PWD="+Password)
		return c
	}
	s.start(func() error {
		return exec.Command(client, "--no-defaults", "--socket="+socket, "--user=root", "-e",
			"ALTER USER root@localhost IDENTIFIED BY '"+Password+"'; GRANT ALL ON *.* TO root@'127.0.0.1' IDENTIFIED BY '"+Password+"' WITH GRANT OPTION").Run()
	})
	return s
}

// PostgreSQL starts a PostgreSQL server.
func PostgreSQL(t testing.TB) *Server {
	t.Helper()
	const programs = "/usr/lib/postgresql/*/bin"
	server, install := debian.Program(t, "postgresql", "postgres", programs+"/postgres"), debian.Program(t, "postgresql", "initdb", programs+"/initdb")
	client := debian.Program(t, "postgresql", "psql", programs+"/psql")
	dir, port := folder(t), freePort(t)
	password := filepath.Join(dir, "password")
	if err := os.WriteFile(password, []byte(Password+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	data := filepath.Join(dir, "data")
	must(t, unprivileged(t, exec.Command(install, "-D", data, "-U", "postgres", "--pwfile="+password, "--auth=scram-sha-256", "--encoding=UTF8", "--locale=C", "--no-sync"), dir))
	s := &Server{Address: "127.0.0.1:" + port, User: "postgres", t: t}
	s.command = unprivileged(t, exec.Command(server, "-D", data, "-p", port, "-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories="+dir, "-c", "fsync=off", "-c", "shared_buffers=16MB"), dir)
	s.client = func(database, sql string) *exec.Cmd {
		c := exec.Command(client, "-X", "-q", "-v", "ON_ERROR_STOP=1", "-h", "127.0.0.1", "-p", port, "-U", "postgres", "-d", database)
		c.Stdin = strings.NewReader(sql)
		c.Env = append(os.Environ(), "PGPASSWORD="+Password)
		return c
	}
	s.start(func() error { return s.client("postgres", "SELECT 1").Run() })
	return s
}

// start starts the server and waits until it answers.
func (s *Server) start(ready func() error) {
	s.t.Helper()
	var said strings.Builder
	s.command.Stdout, s.command.Stderr = &said, &said
	if err := s.command.Start(); err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(s.Kill)
	for end := time.Now().Add(mostWait); ; time.Sleep(50 * time.Millisecond) {
		if ready() == nil {
			return
		}
		if time.Now().After(end) {
			s.Kill()
			s.t.Fatalf("the server does not answer\n%s", said.String())
		}
	}
}

// Kill ends the server at once, as a power cut would.
func (s *Server) Kill() {
	if s.command.ProcessState == nil {
		s.command.Process.Kill()
		s.command.Wait()
	}
}

// Run executes SQL, in a database or, where its name is empty, in none.
func (s *Server) Run(database, sql string) {
	s.t.Helper()
	if database == "" && s.User == "postgres" {
		database = "postgres"
	}
	must(s.t, s.client(database, sql))
}

// Dump gives what mariadb-dump writes of a database.
func (s *Server) Dump(database string, flags ...string) []byte {
	s.t.Helper()
	command := s.dump(database, flags...)
	var wrong strings.Builder
	command.Stderr = &wrong
	out, err := command.Output()
	if err != nil {
		s.t.Fatalf("the dump failed: %v\n%s", err, wrong.String())
	}
	return out
}

// URL leads to a database with a user and password.
func (s *Server) URL(scheme, user, password, database string) string {
	return fmt.Sprintf("%s://%s:%s@%s/%s", scheme, user, escape(password), s.Address, database)
}

func escape(password string) string {
	return strings.NewReplacer("%", "%25", "@", "%40", ":", "%3A", "/", "%2F").Replace(password)
}

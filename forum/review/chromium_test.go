package review

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// chromium finds a browser, or installs Debian's when it may. A page that no
// browser has opened is not tested, so there is no skipping.
func chromium(t *testing.T) string {
	t.Helper()
	names := []string{"chromium", "chromium-browser", "google-chrome", "chrome"}
	find := func() (string, error) {
		for _, name := range names {
			if path, err := exec.LookPath(name); err == nil {
				return path, nil
			}
		}
		return "", exec.ErrNotFound
	}
	path, err := find()
	if errors.Is(err, exec.ErrNotFound) && os.Geteuid() == 0 {
		out, failed := exec.Command("sh", "-c", "apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq chromium").CombinedOutput()
		if failed != nil {
			t.Fatalf("chromium is missing and cannot be installed: %v\n%s", failed, out)
		}
		path, err = find()
	}
	if err != nil {
		t.Fatal("the page is tested in a browser: install Debian's package chromium (root may let this test do it)")
	}
	return path
}

// surf opens a browser of its own, with a new profile, on a reviewer's link.
func (d *desktop) surf(reviewer string, width, height int, dark bool) context.Context {
	d.t.Helper()
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(chromium(d.t)), chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.NoFirstRun, chromedp.Flag("disable-background-networking", true), chromedp.Flag("disable-component-update", true),
		chromedp.Flag("disable-sync", true), chromedp.Flag("lang", "en"), chromedp.UserDataDir(d.t.TempDir()), chromedp.WindowSize(width, height), chromedp.Flag("hide-scrollbars", true))
	if dark {
		options = append(options, chromedp.Flag("blink-settings", "preferredColorScheme=0"))
	}
	allocator, stop := chromedp.NewExecAllocator(context.Background(), options...)
	browser, end := chromedp.NewContext(allocator)
	patient, cancel := context.WithTimeout(browser, 3*time.Minute)
	d.t.Cleanup(func() {
		chromedp.Cancel(browser)
		cancel()
		end()
		stop()
	})
	link, err := d.server.Invite(reviewer)
	if err != nil {
		d.t.Fatal(err)
	}
	d.must(patient, chromedp.Navigate(link), chromedp.WaitVisible("main"))
	return patient
}

func (d *desktop) must(ctx context.Context, actions ...chromedp.Action) {
	d.t.Helper()
	if err := chromedp.Run(ctx, actions...); err != nil {
		d.t.Fatal(err)
	}
}

// serve answers real connections.
func (d *desktop) serve() *desktop {
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error)
	go func() { done <- d.server.Serve(ctx) }()
	d.t.Cleanup(func() {
		stop()
		if err := <-done; err != nil {
			d.t.Error(err)
		}
	})
	return d
}

// press presses keys one after the other. Those that lead to another page are
// followed by wait.
func press(keys string) chromedp.Action { return chromedp.KeyEvent(keys) }

// turns presses a key and waits until another page is there.
func turns(key string) chromedp.Action {
	return chromedp.ActionFunc(func(ctx context.Context) error {
		if err := chromedp.Run(ctx, chromedp.Evaluate(`document.body.dataset.old = "1"`, nil), chromedp.KeyEvent(key)); err != nil {
			return err
		}
		for {
			var arrived bool
			err := chromedp.Run(ctx, chromedp.Evaluate(`document.readyState === "complete" && document.body.dataset.old !== "1"`, &arrived))
			if arrived && err == nil {
				return nil
			}
			if ctx.Err() != nil {
				return errors.New("no other page came after the key " + key)
			}
			time.Sleep(10 * time.Millisecond)
		}
	})
}

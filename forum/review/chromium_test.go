package review

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"anonymooc/internal/debian"
)

// chromium finds a browser, or installs Debian's when it may. A page that no
// browser has opened is not tested, so there is no skipping.
func chromium(t testing.TB) string {
	t.Helper()
	return debian.Program(t, "chromium", "chromium", "chromium-browser", "google-chrome", "chrome")
}

// tab is one browser on the review, with a profile of its own.
type tab struct {
	t   testing.TB
	ctx context.Context
}

// mostWait bounds how long a browser may take for one step.
const mostWait = time.Minute

// surf opens a browser on a reviewer's link.
func (d *desktop) surf(reviewer string, width, height int) *tab {
	d.t.Helper()
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(chromium(d.t)), chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.NoFirstRun, chromedp.Flag("disable-background-networking", true), chromedp.Flag("disable-component-update", true),
		chromedp.Flag("disable-sync", true), chromedp.Flag("hide-scrollbars", true), chromedp.Flag("lang", "en"), chromedp.Flag("accept-lang", "en"),
		chromedp.UserDataDir(d.t.TempDir()), chromedp.WindowSize(width, height))
	allocator, stop := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, end := chromedp.NewContext(allocator)
	d.t.Cleanup(func() {
		if err := chromedp.Cancel(ctx); err != nil {
			d.t.Log("the browser did not end well")
		}
		end()
		stop()
	})
	link, err := d.server.Invite(reviewer)
	if err != nil {
		d.t.Fatal(err)
	}
	b := &tab{d.t, ctx}
	if err := chromedp.Do(ctx, chromedp.Navigate(link), chromedp.WaitVisible(chromedp.CSS("main"))); err != nil {
		d.t.Fatal(err)
	}
	b.settled("the page did not load")
	return b
}

// settled waits until the page and its script are there, and it is not the one
// that was marked as old.
func (b *tab) settled(otherwise string) {
	b.t.Helper()
	for end := time.Now().Add(mostWait); ; time.Sleep(5 * time.Millisecond) {
		ctx, cancel := context.WithTimeout(b.ctx, mostWait)
		there, err := chromedp.Run(ctx, chromedp.Evaluate[bool](`document.readyState === "complete" && document.body.dataset.old !== "1"`))
		cancel()
		if there && err == nil {
			return
		}
		if time.Now().After(end) {
			b.t.Fatal(otherwise)
		}
	}
}

func (b *tab) do(steps ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, mostWait)
	defer cancel()
	if err := chromedp.Do(ctx, steps...); err != nil {
		b.t.Fatal(err)
	}
}

// press types keys, as many as there are.
func (b *tab) press(keys ...string) {
	b.t.Helper()
	for _, key := range keys {
		if r := []rune(key); len(r) == 1 && r[0] > ' ' && r[0] < 0x7f {
			b.do(stroke(key))
			continue
		}
		b.do(chromedp.KeyEvent(key))
	}
}

// stroke presses a key as a keyboard does: what the page does on its way down
// decides whether a letter is written. chromedp.KeyEvent writes it in any case.
func stroke(key string) chromedp.Action[chromedp.Void] {
	name, code := key, int64(0)
	if key == kb.Enter {
		name, code = "Enter", 13
	}
	return chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		for _, event := range []input.DispatchKeyEventParams{{Type: "keyDown", Key: name, Text: key, WindowsVirtualKeyCode: code}, {Type: "keyUp", Key: name, WindowsVirtualKeyCode: code}} {
			if _, err := cdp.Call(ctx, target, input.DispatchKeyEvent, event); err != nil {
				return err
			}
		}
		return nil
	})
}

// read evaluates an expression of the page.
func read[T any](b *tab, expression string) T {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, mostWait)
	defer cancel()
	value, err := chromedp.Run(ctx, chromedp.Evaluate[T](expression))
	if err != nil {
		b.t.Fatal(err)
	}
	return value
}

// text is what an element shows.
func (b *tab) text(selector string) string {
	b.t.Helper()
	return read[string](b, `document.querySelector("`+selector+`")?.innerText ?? ""`)
}

// turn does something that leads to another page, and waits for that.
func (b *tab) turn(keys string) {
	b.t.Helper()
	read[string](b, `document.body.dataset.old = "1"`)
	b.press(keys)
	b.settled(fmt.Sprintf("no other page came after the key %q", keys))
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

package review

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"anonymooc/forum"
)

// TestInvariant10HostileRequestsGetNothing: none of them is shown a word of the
// forum, and none writes to the ledger.
func TestInvariant10HostileRequestsGetNothing(t *testing.T) {
	d := review(t, roses, roster, forum.Options{})
	ada := d.enter("ada")
	verdict := "/question/" + strconv.Itoa(d.number("rosa"))
	get := func(change func(r *http.Request)) *http.Request {
		r := httptest.NewRequest(http.MethodGet, verdict, nil)
		r.AddCookie(ada.cookie)
		change(r)
		return r
	}
	post := func(change func(r *http.Request)) *http.Request {
		r := ada.form(verdict, url.Values{"verdict": {"mask"}})
		change(r)
		return r
	}
	tests := map[string]*http.Request{
		"a name that resolves to this machine": get(func(r *http.Request) { r.Host = "evil.example" }),
		"our address with more behind it": get(func(r *http.Request) {
			r.Host = strings.TrimPrefix(ada.d.server.guard.base, "http://") + ".evil.example"
		}),
		"no cookie":                                 httptest.NewRequest(http.MethodGet, verdict, nil),
		"a forged cookie":                           get(func(r *http.Request) { r.Header.Set("Cookie", d.server.guard.cookie+"="+strings.Repeat("A", 43)) }),
		"a link that was used":                      httptest.NewRequest(http.MethodGet, strings.TrimPrefix(d.told[0], d.server.guard.base), nil),
		"a guessed link":                            httptest.NewRequest(http.MethodGet, "/open?token="+strings.Repeat("A", 43), nil),
		"an empty link":                             httptest.NewRequest(http.MethodGet, "/open?token=", nil),
		"a form of another site":                    post(func(r *http.Request) { r.Header.Set("Origin", "https://evil.example") }),
		"a form of another port of this machine":    post(func(r *http.Request) { r.Header.Set("Origin", "http://127.0.0.1:1") }),
		"a form that hides where it comes from":     post(func(r *http.Request) { r.Header.Del("Origin") }),
		"a form of a sandboxed page":                post(func(r *http.Request) { r.Header.Set("Origin", "null") }),
		"a script tag of another site":              get(func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "cross-site") }),
		"a page of another site on this machine":    get(func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "same-site") }),
		"a body that is no form":                    post(func(r *http.Request) { r.Header.Set("Content-Type", "application/json") }),
		"another method":                            post(func(r *http.Request) { r.Method = http.MethodPut }),
		"a request meant for a proxy":               get(func(r *http.Request) { r.URL, _ = url.Parse("http://evil.example" + verdict) }),
		"a path that climbs out of the assets":      httptest.NewRequest(http.MethodGet, "/static/..%2flayout.html", nil),
		"a form of a million fields":                ada.form(verdict, url.Values{"verdict": {strings.Repeat("mask", mostBody)}}),
		"a verdict that does not exist":             ada.form(verdict, url.Values{"verdict": {"publish"}}),
		"a mention outside the forum":               ada.form(verdict, url.Values{"verdict": {"keep"}, "m": {"99999.1.0.4"}}),
		"a mention with offsets outside its post":   ada.form(verdict, url.Values{"verdict": {"keep"}, "m": {"0.1.0.99999"}}),
		"a question that does not exist":            ada.form("/question/99999", url.Values{"verdict": {"mask"}}),
		"a question with a number below nought":     ada.form("/question/-1", url.Values{"verdict": {"mask"}}),
		"a category that does not exist":            ada.form(verdict, url.Values{"verdict": {"mask"}, "category": {"<script>"}}),
		"a mark of another page, not even a number": ada.form("/mark", url.Values{"post": {"0"}, "mark": {"x y"}, "verdict": {"keep"}}),
	}
	for name, request := range tests {
		answer := d.ask(request)
		body := answer.Body.String()
		if answer.Code < 400 {
			t.Errorf("%s: answers %d", name, answer.Code)
		}
		for _, word := range []string{"Rosa", "Zéphyrine", "Gwenvael"} {
			if strings.Contains(body, word) {
				t.Errorf("%s: shows a name of the forum", name)
			}
		}
		if answer.Header().Get("Cache-Control") != "no-store" || !strings.HasPrefix(answer.Header().Get("Content-Security-Policy"), "default-src 'none';") {
			t.Errorf("%s: is not protected", name)
		}
	}
	if n := len(d.ledger.Entries()); n != 0 {
		t.Errorf("%d entries were written", n)
	}
	if body := ada.get(verdict); !strings.Contains(body, "rosa") {
		t.Error("who was let in does not see the question")
	}
}

func TestListensOnLoopbackOnly(t *testing.T) {
	d := review(t, roses, roster, forum.Options{})
	for _, address := range []string{"0.0.0.0:0", "[::]:0", ":0", "192.0.2.1:0", "localhost:0", "127.0.0.1", "example.org:80"} {
		if s, err := Listen(d.desk.options, address); err == nil {
			s.listener.Close()
			t.Errorf("it listens on %s", address)
		}
	}
}

func TestALinkLetsOneBrowserInOnce(t *testing.T) {
	d := review(t, roses, roster, forum.Options{})
	link, err := d.server.Invite("ada")
	if err != nil {
		t.Fatal(err)
	}
	path := strings.TrimPrefix(link, d.server.guard.base)
	first := d.ask(httptest.NewRequest(http.MethodGet, path, nil))
	cookies := first.Result().Cookies()
	if len(cookies) != 1 || !cookies[0].HttpOnly || cookies[0].SameSite != http.SameSiteStrictMode || strings.Contains(path, cookies[0].Value) {
		t.Fatalf("the cookie is %v", cookies)
	}
	if second := d.ask(httptest.NewRequest(http.MethodGet, path, nil)); second.Code != http.StatusForbidden || len(second.Result().Cookies()) != 0 {
		t.Errorf("the link works twice: %d", second.Code)
	}
}

func TestAnIdlePageLocksItselfAndTellsANewLink(t *testing.T) {
	d := review(t, roses, roster, forum.Options{})
	ada := d.enter("ada")
	d.now = d.now.Add(DefaultIdle)
	ada.get("/")
	d.now = d.now.Add(DefaultIdle + time.Second)
	before := len(d.told)
	r := httptest.NewRequest(http.MethodGet, "/", nil)
	r.AddCookie(ada.cookie)
	if answer := d.ask(r); answer.Code != http.StatusForbidden || len(d.told) != before+1 {
		t.Fatalf("answers %d, %d links told", answer.Code, len(d.told)-before)
	}
	if answer := d.ask(httptest.NewRequest(http.MethodGet, strings.TrimPrefix(d.told[before], d.server.guard.base), nil)); answer.Code != http.StatusSeeOther {
		t.Errorf("the new link answers %d", answer.Code)
	}
}

func TestLockingEndsTheSession(t *testing.T) {
	d := review(t, roses, roster, forum.Options{})
	ada := d.enter("ada")
	ada.post("/lock", nil)
	r := httptest.NewRequest(http.MethodGet, "/", nil)
	r.AddCookie(ada.cookie)
	if answer := d.ask(r); answer.Code != http.StatusForbidden {
		t.Errorf("a locked page answers %d", answer.Code)
	}
}

func TestPostsAreTextAndAddressesHoldNoData(t *testing.T) {
	hostile := []written{
		{"52ee00000000000000000001", "17", "<img src=x onerror=alert(1)>", "<script>alert('Rosa')</script> merci Rosa \u202eRosa\u202c </textarea>{{.Reviewer}}"},
		{"52ee00000000000000000002", "18", "", "salut rosa' onmouseover='x \" Rosa & <b>rosa</b>"},
	}
	d := review(t, hostile, roster, forum.Options{})
	ada := d.enter("ada")
	for _, path := range []string{"/", "/question/" + strconv.Itoa(d.number("Rosa")), "/thread/0", "/thread/0?show=changes", "/thread/0?show=released", "/overview", "/recheck"} {
		body := ada.get(path)
		if strings.Count(body, "<script") != 1 || strings.Contains(body, "<img") || strings.Contains(body, "<b>rosa") || strings.Contains(body, "' onmouseover='x") {
			t.Errorf("%s: a post became markup", path)
		}
		for rest := body; ; {
			_, after, found := strings.Cut(rest, `href="`)
			if !found {
				break
			}
			address, tail, _ := strings.Cut(after, `"`)
			if strings.Contains(strings.ToLower(address), "rosa") || strings.Contains(address, "52ee") || strings.Contains(address, "://") {
				t.Errorf("%s: the address %q holds data or leads outside", path, address)
			}
			rest = tail
		}
	}
}

package sample

// The parts most envelopes share.
const (
	browserHead = `{"username": "${username}", "session": "${session}", "event_source": "browser", "event_type": "${event_type}", "name": "${event_type}", "page": "${page}", "event": ${event}, `
	browserTail = `"agent": "${agent}", "host": "${host}", "referer": "${page}", "accept_language": "${pick:fr-FR,fr;q=0.8|en-US,en;q=0.5|ru}", "time": "${time}"`
	userContext = `"context": {"user_id": ${user_id}, "org_id": "${org}", "course_id": "${course_id}", "path": "${path}"}`

	serverHead    = `{"username": "${username}", "event_type": "${event_type}", "ip": "${ip}", "agent": "${agent}", "host": "${host}", "event_source": "server", `
	serverContext = `"context": {"username": "${username}", "user_id": ${user_id}, "ip": "${ip}", "host": "${host}", "session": "${session}", "org_id": "${org}", "course_id": "${course_id}", "path": "${path}", "course_user_tags": {}}`
	serverTail    = `"event": ${event}, ` + serverContext + `, "referer": "${page}", "accept_language": "fr", "time": "${time}", "page": null}`
)

// envelopes are the shapes of a log line around its event; it is only read.
// The first four are what a platform writes day by day, the others are what
// years of versions, proxies and accidents leave in a log.
var envelopes = map[string]string{
	"browser": browserHead + `"ip": "${ip}", ` + browserTail + `, ` + userContext + `}`,
	"server":  serverHead + serverTail,
	"request": serverHead + `"event": ${event}, ` + userContext + `, "time": "${time}", "page": null}`,
	"mobile": `{"username": "${username}", "event_source": "mobile", "name": "${event_type}", "event_type": "${event_type}", "label": "${course_id}", "session": "${device}", "ip": "${ip}", "agent": "${agent}", "host": "${host}", "page": "${page}", "event": ${event}, "time": "${time}", ` +
		`"context": {"user_id": ${user_id}, "course_id": "${course_id}", "org_id": "${org}", "path": "/segmentio/event", "received_at": "${time}", "application": {"name": "edx.mobileapp.android", "version": "2.0"}, ` +
		`"client": {"network": {"wifi": true, "carrier": "Imaginaire Mobile", "cellular": false}, "locale": "fr-FR", "ip": "${ip}", "device": {"manufacturer": "Fabrique", "model": "F-1", "type": "android", "id": "${device}"}, "os": {"version": "4.4.2", "name": "Android"}, "screen": {"density": 3, "height": 1920, "width": 1080}}}}`,

	// Before contexts existed.
	"legacy": `{"username": "${username}", "host": "${host}", "event_source": "server", "event_type": "${event_type}", "time": "${time}", "ip": "${ip}", "event": ${event}, "agent": "${agent}", "page": null}`,
	// Written by another serialiser: no spaces, other order, a tab, a space at the end.
	"compact": `{"time":"${time}","event":${event},"event_type":"${event_type}","page":"${page}","username":"${username}","ip":"${ip}","session":"${session}","event_source":"browser","context":{"user_id":${user_id},"course_id":"${course_id}"}}` + "\t ",

	// The logger's own prefix stands before the object.
	"prefixed":     `${syslog} app-3 [service_variant=lms][tracking][env:prod-imaginaire] INFO [app-3  2210] [logger.py:41] - ` + serverHead + serverTail,
	"prefixedUser": `${syslog} app-3 [env:prod-imaginaire][user ${user_id}][ip ${ip}] INFO - ` + serverHead + serverTail,

	// Addresses.
	"ipMissing":   browserHead + browserTail + `, ` + userContext + `}`,
	"ipNull":      browserHead + `"ip": null, ` + browserTail + `, ` + userContext + `}`,
	"ipEmpty":     browserHead + `"ip": "", ` + browserTail + `, ` + userContext + `}`,
	"ipPrivate":   browserHead + `"ip": "192.168.${n:250}.${n:250}", ` + browserTail + `, ` + userContext + `}`,
	"ipLoopback":  browserHead + `"ip": "127.0.0.1", ` + browserTail + `, ` + userContext + `}`,
	"ipExample":   browserHead + `"ip": "203.0.113.${n:250}", ` + browserTail + `, ` + userContext + `}`,
	"ipSix":       browserHead + `"ip": "2001:db8:${n:99}::${n:99}", ` + browserTail + `, ` + userContext + `}`,
	"ipMapped":    browserHead + `"ip": "::ffff:198.51.100.${n:250}", ` + browserTail + `, ` + userContext + `}`,
	"ipPort":      browserHead + `"ip": "${ip}:443", ` + browserTail + `, ` + userContext + `}`,
	"ipList":      browserHead + `"ip": "${ip}, 10.0.0.${n:250}", ` + browserTail + `, ` + userContext + `}`,
	"ipMalformed": browserHead + `"ip": "300.1.2", ` + browserTail + `, ` + userContext + `}`,
	"ipUnknown":   browserHead + `"ip": "unknown", ` + browserTail + `, ` + userContext + `}`,

	// People.
	"visitor":      `{"username": "", "event_type": "${event_type}", "ip": "${ip}", "agent": "${agent}", "host": "${host}", "event_source": "server", "event": ${event}, "context": {"user_id": null, "org_id": "", "course_id": "", "path": "${path}"}, "time": "${time}", "page": null}`,
	"visitorNull":  `{"username": null, "event_type": "${event_type}", "ip": "${ip}", "agent": "", "host": "${host}", "event_source": "server", "event": ${event}, "context": {"user_id": "", "org_id": "${org}", "course_id": "${course_id}", "path": "${path}"}, "time": "${time}", "page": null}`,
	"userIdText":   browserHead + `"ip": "${ip}", ` + browserTail + `, "context": {"user_id": "${user_id}", "org_id": "${org}", "course_id": "${course_id}", "path": "${path}"}}`,
	"userIdFloat":  browserHead + `"ip": "${ip}", ` + browserTail + `, "context": {"user_id": ${user_id}.0, "course_id": "${course_id}"}}`,
	"contextEmail": serverHead + `"event": ${event}, "context": {"username": "${username}", "email": "${email}", "user_id": ${user_id}, "course_id": "${course_id}", "path": "${path}", "enterprise_uuid": ""}, "time": "${time}", "page": null}`,
	"masquerade":   serverHead + `"event": ${event}, "context": {"user_id": ${user_id}, "course_id": "${course_id}", "path": "${path}"}, "operator": "${other.username}", "reply_to": "${other.email}", "masquerading": {"as": {"login": "${third.username}", "number": ${third.user_id}, "label": "${third.name} <${third.email}>"}}, "time": "${time}", "page": null}`,

	// Keys.
	"duplicateKeys": `{"username": "${other.username}", "username": "${username}", "event_type": "${event_type}", "ip": "${other.ip}", "ip": "${ip}", "event_source": "server", "event": ${event}, ` + userContext + `, "time": "${time}", "page": null}`,
	"escapedKeys":   `{"user\u006eame": "${username}", "event_type": "${event_type}", "\u0069p": "${ip}", "session": "${session}", "event_source": "server", "event": ${event}, "conte\u0078t": {"user\u005fid": ${user_id}, "course_id": "${course_id}", "path": "${path}"}, "time": "${time}", "page": null}`,
	"escapedValues": `{"username": "${username!unicode}", "event_type": "${event_type}", "ip": "${ip}", "event_source": "server", "event": ${event}, "context": {"user_id": ${user_id}, "course_id": "${course_id!slashes}", "path": "${path}"}, "time": "${time}", "page": null}`,
	"keyedByPeople": serverHead + `"event": ${event}, "context": {"user_id": ${user_id}, "course_id": "${course_id}"}, "seats": {"${other.username}": 1, "${third.email}": {"row": 2}}, "time": "${time}", "page": null}`,
}

package sample

import (
	"strconv"
	"strings"
)

// slot is one thing a template can ask for.
type slot struct {
	kind string // the identifier kind it plants; empty when it names nobody
	raw  bool   // the value brings its own encoding
	text bool   // the value is free text, with slots of its own
	fill func(s *scene, p *Person, at *part, dst []byte) []byte
}

// nullCell is the value of a cell that is NULL; each dialect spells it.
const nullCell = "\x00"

// Purposes of Person.Hash.
const (
	hashAnonymous = iota + 1
	hashSiteWide
	hashCertificateKey
	hashCertificate
	hashVerify
	hashActivation
	hashPassword
	hashSubmission
)

// slots is the vocabulary of the templates; it is only read.
var slots = map[string]slot{
	// People.
	"username":        text("username", func(p *Person) string { return p.Username }),
	"email":           text("email", func(p *Person) string { return p.Email }),
	"first":           text("first_name", func(p *Person) string { return p.First }),
	"last":            text("last_name", func(p *Person) string { return p.Last }),
	"name":            text("full_name", func(p *Person) string { return p.FullName }),
	"phone":           text("phone", func(p *Person) string { return p.Phone }),
	"address":         text("address", func(p *Person) string { return p.Address }),
	"ip":              {kind: "ip", fill: addressOf},
	"user_id":         {kind: "user_id", fill: number(func(p *Person) int64 { return p.ID }, 10)},
	"user_id36":       {kind: "user_id", fill: number(func(p *Person) int64 { return p.ID }, 36)},
	"profile":         {kind: "profile_id", fill: number(func(p *Person) int64 { return 70_000_000 + 3*p.ID }, 10)},
	"anonymous_id":    hashed("anonymous_id", hashAnonymous, true),
	"hash_id":         hashed("hash_id", hashSiteWide, false),
	"certificate":     hashed("certificate", hashCertificate, true),
	"certificate_key": hashed("certificate", hashCertificateKey, true),
	"verify_key":      hashed("certificate", hashVerify, true),
	"activation":      hashed("activation_key", hashActivation, false),
	"password":        hashed("password", hashPassword, false),
	"session":         {kind: "session", fill: func(s *scene, _ *Person, _ *part, dst []byte) []byte { return append(dst, s.visit.session...) }},
	"csrf":            {kind: "csrf_token", fill: func(s *scene, _ *Person, _ *part, dst []byte) []byte { return append(dst, s.visit.csrf...) }},
	"device":          {kind: "device", fill: func(s *scene, _ *Person, _ *part, dst []byte) []byte { return append(dst, s.visit.device...) }},

	// What is said of a person and stays.
	"gender":    text("", func(p *Person) string { return orNull(p.Gender) }),
	"education": text("", func(p *Person) string { return orNull(p.Education) }),
	"country":   text("", func(p *Person) string { return p.Country }),
	"language":  text("", func(p *Person) string { return p.Language }),
	"city":      text("city", func(p *Person) string { return p.City }),
	"born": text("", func(p *Person) string {
		if p.Born == 0 {
			return nullCell
		}
		return strconv.Itoa(p.Born)
	}),
	"de":    {fill: func(_ *scene, p *Person, _ *part, dst []byte) []byte { return append(dst, elision(p.First)...) }},
	"agent": drawn(func(s *scene, _ *part, dst []byte) []byte { return append(dst, s.visit.agent...) }),

	// The course and its content.
	"course_id":   ofCourse(func(c *Course) string { return c.ID }),
	"org":         ofCourse(func(c *Course) string { return c.Org }),
	"number":      ofCourse(func(c *Course) string { return c.Number }),
	"host":        ofCourse((*Course).host),
	"problem":     block("problem", func(c *Course) []string { return c.problems }),
	"video":       block("video", func(c *Course) []string { return c.videos }),
	"chapter":     block("chapter", func(c *Course) []string { return c.chapters }),
	"sequential":  block("sequential", func(c *Course) []string { return c.sequentials }),
	"vertical":    block("vertical", func(c *Course) []string { return c.verticals }),
	"essay":       block("openassessment", func(c *Course) []string { return c.essays }),
	"video_name":  blockName(func(c *Course) []string { return c.videos }),
	"commentable": blockName(func(c *Course) []string { return c.commentables }),
	"topic":       blockName(func(c *Course) []string { return c.topics }),
	"input": drawn(func(s *scene, _ *part, dst []byte) []byte {
		return append(dst, s.course.input(s.blockName(s.course.problems))...)
	}),
	"page": drawn(func(s *scene, _ *part, dst []byte) []byte {
		c := s.course
		dst = append(append(append(dst, "https://"...), c.host()...), "/courses/"...)
		dst = append(append(dst, c.ID...), "/courseware/"...)
		dst = append(append(dst, s.blockName(c.chapters)...), '/')
		return append(append(dst, s.blockName(c.sequentials)...), '/')
	}),

	// The content block a row of courseware_studentmodule is about.
	"module_type":    drawn(func(s *scene, _ *part, dst []byte) []byte { return append(dst, s.module.kind...) }),
	"module_id":      drawn(func(s *scene, _ *part, dst []byte) []byte { return s.course.appendUsage(dst, s.module.kind, s.block) }),
	"module_grade":   drawn(func(s *scene, _ *part, dst []byte) []byte { return appendGrade(dst, s, s.module.maximum != "NULL") }),
	"module_maximum": drawn(func(s *scene, _ *part, dst []byte) []byte { return append(dst, orNull(s.module.maximum)...) }),
	"state": {raw: true, fill: func(s *scene, _ *Person, _ *part, dst []byte) []byte {
		return s.render(dst, s.module.state[s.rng.IntN(len(s.module.state))], jsonText)
	}},

	// Numbers, dates, keys of nobody.
	"n": drawn(func(s *scene, at *part, dst []byte) []byte {
		return strconv.AppendInt(dst, s.rng.Int64N(int64(at.number)), 10)
	}),
	"row":    drawn(func(s *scene, _ *part, dst []byte) []byte { return strconv.AppendInt(dst, s.row, 10) }),
	"serial": drawn(func(s *scene, _ *part, dst []byte) []byte { return strconv.AppendInt(dst, s.serial, 10) }),
	"cycle": drawn(func(s *scene, at *part, dst []byte) []byte {
		return strconv.AppendInt(dst, (s.serial-1)%int64(at.number)+1, 10)
	}),
	"item":       {fill: number(func(p *Person) int64 { return 30_000_000 + int64(p.Index) }, 10)},
	"submission": {fill: submissionOf},
	"hex":        drawn(func(s *scene, at *part, dst []byte) []byte { return appendRandomHex(dst, s, at.number) }),
	"uuid":       drawn(appendUUID),
	"seconds": drawn(func(s *scene, _ *part, dst []byte) []byte {
		dst = strconv.AppendInt(dst, s.rng.Int64N(900), 10)
		return strconv.AppendInt(append(dst, '.'), 1+s.rng.Int64N(998), 10)
	}),
	"time": drawn(func(s *scene, _ *part, dst []byte) []byte {
		return append(appendMoment(dst, s.now, 'T', true), "+00:00"...)
	}),
	"zulu": drawn(func(s *scene, _ *part, dst []byte) []byte {
		return append(appendMoment(dst, s.now, 'T', true)[:len(dst)+23], 'Z')
	}),
	"date":     drawn(func(s *scene, _ *part, dst []byte) []byte { return appendMoment(dst, s.now, ' ', false) }),
	"datetime": drawn(func(s *scene, _ *part, dst []byte) []byte { return appendMoment(dst, s.now, ' ', true) }),
	"earlier": drawn(func(s *scene, at *part, dst []byte) []byte {
		return appendMoment(dst, s.now-moment(1+s.rng.IntN(60*24*3600))*second, ' ', false)
	}),
	"syslog": drawn(appendSyslogTime),
	"ms":     drawn(func(s *scene, _ *part, dst []byte) []byte { return strconv.AppendInt(dst, int64(s.now/1000), 10) }),
	"pick": drawn(func(s *scene, at *part, dst []byte) []byte {
		return append(dst, at.choices[s.rng.IntN(len(at.choices))]...)
	}),
	"null": {raw: true, fill: func(_ *scene, _ *Person, _ *part, dst []byte) []byte { return append(dst, nullCell...) }},

	// Free text, which names people in turn.
	"text":     spoken(func(s *scene, _ *part, dst []byte) []byte { return s.appendText(dst, 1+s.rng.IntN(3)) }),
	"sentence": spoken(func(s *scene, _ *part, dst []byte) []byte { return s.appendText(dst, 1) }),
	"message":  spoken(func(s *scene, _ *part, dst []byte) []byte { return s.appendPost(dst) }),
	"title":    spoken(func(s *scene, _ *part, dst []byte) []byte { return s.appendTitle(dst) }),

	// The event of a log line and the post of a forum document.
	"event_type":   drawn(func(s *scene, _ *part, dst []byte) []byte { return s.inPlace("event_type", s.kind.event, dst) }),
	"path":         drawn(func(s *scene, _ *part, dst []byte) []byte { return s.inPlace("context.path", s.kind.path, dst) }),
	"event":        {raw: true, fill: func(s *scene, _ *Person, _ *part, dst []byte) []byte { return s.appendPayload(dst) }},
	"post":         drawn(func(s *scene, _ *part, dst []byte) []byte { return append(dst, s.post.id...) }),
	"thread":       drawn(func(s *scene, _ *part, dst []byte) []byte { return append(dst, s.post.thread...) }),
	"parent_field": {raw: true, fill: appendParentField},
	"sk":           drawn(appendSortKey),
	"parents":      {raw: true, fill: appendParents},
	"voters":       {raw: true, fill: appendVoters},
	"voted": drawn(func(s *scene, _ *part, dst []byte) []byte {
		return strconv.AppendInt(dst, int64(len(s.post.voters)), 10)
	}),
}

func text(kind string, value func(p *Person) string) slot {
	return slot{kind: kind, fill: func(_ *scene, p *Person, _ *part, dst []byte) []byte {
		return append(dst, value(p)...)
	}}
}

// elision gives the French "de" as it stands before a name.
func elision(name string) string {
	if strings.ContainsAny(strings.ToLower(unaccented(firstLetter(name))), "aeiouyh") {
		return "d'"
	}
	return "de "
}

func orNull(value string) string {
	if value == "NULL" {
		return nullCell
	}
	return value
}

func number(value func(p *Person) int64, base int) func(*scene, *Person, *part, []byte) []byte {
	return func(_ *scene, p *Person, _ *part, dst []byte) []byte {
		return strconv.AppendInt(dst, value(p), base)
	}
}

// addressOf writes the address of the visit, or the person's own.
func addressOf(s *scene, p *Person, at *part, dst []byte) []byte {
	if s.visit != nil && at.who == theActor {
		return append(dst, s.visit.ip...)
	}
	return append(dst, p.IP...)
}

// hashed writes 32 hexadecimal digits of the person's own.
func hashed(kind string, purpose uint64, perCourse bool) slot {
	return slot{kind: kind, fill: func(s *scene, p *Person, _ *part, dst []byte) []byte {
		of := purpose
		if perCourse {
			of += 100 * uint64(s.course.Index+1)
		}
		high, low := p.Hash(of)
		return appendHex(appendHex(dst, high, 16), low, 16)
	}}
}

func ofCourse(value func(c *Course) string) slot {
	return drawn(func(s *scene, _ *part, dst []byte) []byte { return append(dst, value(s.course)...) })
}

// block writes the full id of a content block of the course.
func block(blockType string, from func(c *Course) []string) slot {
	return drawn(func(s *scene, _ *part, dst []byte) []byte {
		return s.course.appendUsage(dst, blockType, s.blockName(from(s.course)))
	})
}

func blockName(from func(c *Course) []string) slot {
	return drawn(func(s *scene, _ *part, dst []byte) []byte { return append(dst, s.blockName(from(s.course))...) })
}

// blockName names the content block of a row or a line: the row's own, or the
// same one for every slot of the line that asks among the same names.
func (s *scene) blockName(names []string) string {
	if s.block != "" {
		return s.block
	}
	return names[mix(uint64(s.now))%uint64(len(names))]
}

func drawn(fill func(s *scene, at *part, dst []byte) []byte) slot {
	return slot{fill: func(s *scene, _ *Person, at *part, dst []byte) []byte { return fill(s, at, dst) }}
}

func spoken(fill func(s *scene, at *part, dst []byte) []byte) slot {
	free := drawn(fill)
	free.text = true
	return free
}

func appendRandomHex(dst []byte, s *scene, n int) []byte {
	for ; n > 16; n -= 16 {
		dst = appendHex(dst, s.rng.Uint64(), 16)
	}
	return appendHex(dst, s.rng.Uint64(), n)
}

func appendUUID(s *scene, _ *part, dst []byte) []byte {
	return appendDashed(dst, s.rng.Uint64(), s.rng.Uint64())
}

// submissionOf writes the UUID of the person's one submission in the course.
func submissionOf(s *scene, p *Person, _ *part, dst []byte) []byte {
	high, low := p.Hash(hashSubmission + 100*uint64(s.course.Index+1))
	return appendDashed(dst, high, low)
}

// appendDashed writes 16 bytes as a UUID.
func appendDashed(dst []byte, high, low uint64) []byte {
	dst = append(appendHex(dst, high>>32, 8), '-')
	dst = append(appendHex(dst, high>>16, 4), '-')
	dst = append(appendHex(dst, high, 4), '-')
	dst = append(appendHex(dst, low>>48, 4), '-')
	return appendHex(dst, low, 12)
}

// appendSyslogTime writes "Oct  3 12:01:02".
func appendSyslogTime(s *scene, _ *part, dst []byte) []byte {
	const months = "JanFebMarAprMayJunJulAugSepOctNovDec"
	_, month, date, clock, _ := s.now.civil()
	dst = append(dst, months[3*month-3:3*month]...)
	if date < 10 {
		dst = append(dst, ' ')
	}
	dst = strconv.AppendInt(append(dst, ' '), int64(date), 10)
	dst = appendTwo(append(dst, ' '), clock/3600)
	dst = appendTwo(append(dst, ':'), clock/60%60)
	return appendTwo(append(dst, ':'), clock%60)
}

// appendGrade writes a grade, or NULL for blocks that have none.
func appendGrade(dst []byte, s *scene, graded bool) []byte {
	if !graded {
		return append(dst, nullCell...)
	}
	return append(dst, [...]string{"0.0", "1.0", "1", "0.5", "7.25"}[s.rng.IntN(5)]...)
}

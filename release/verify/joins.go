package verify

import (
	"bytes"
	"fmt"
	"hash/maphash"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"anonymooc/release/records"
)

// joinRule is one relation of an export (edX research documentation; the joins
// that a release must keep): every value of From has its counterpart in To.
type joinRule struct {
	name, from, to string
}

// joinRules names columns as table.column, with the table's name as in tableNames.
var joinRules = []joinRule{
	{"profile → person", "auth_userprofile.user_id", "auth_user.id"},
	{"enrolment → person", "student_courseenrollment.user_id", "auth_user.id"},
	{"student module → person", "courseware_studentmodule.student_id", "auth_user.id"},
	{"certificate → person", "certificates_generatedcertificate.user_id", "auth_user.id"},
	{"id map → person", "user_id_map.id", "auth_user.id"},
	{"anonymous id → person", "student_anonymoususerid.user_id", "auth_user.id"},
	{"course tag → person", "user_api_usercoursetag.user_id", "auth_user.id"},
	{"team membership → person", "teams_membership.user_id", "auth_user.id"},
	{"e-mail choice → person", "email_opt_in.user_id", "auth_user.id"},
	{"access role → person", "student_courseaccessrole.user_id", "auth_user.id"},
	{"forum role → person", "django_comment_client_role_users.user_id", "auth_user.id"},
	{"wiki revision → person", "wiki_articlerevision.user_id", "auth_user.id"},
	{"credit → username", "credit_crediteligibility.username", "auth_user.username"},
	{"id map → username", "user_id_map.username", "auth_user.username"},
	{"language → profile", "student_languageproficiency.user_profile_id", "auth_userprofile.id"},
	{"wiki revision → article", "wiki_articlerevision.article_id", "wiki_article.id"},
	{"wiki article → current revision", "wiki_article.current_revision_id", "wiki_articlerevision.id"},
	{"team membership → team", "teams_membership.team_id", "teams.id"},
	{"team → its discussion", "teams.discussion_topic_id", "forum.commentable_id"},
	{"assessed work → anonymous id", "ora.student_id", "student_anonymoususerid.anonymous_user_id"},
	{"assessor → anonymous id", "ora.scorer_id", "student_anonymoususerid.anonymous_user_id"},
	{"id map → anonymous id", "user_id_map.hash_id", "student_anonymoususerid.anonymous_user_id"},
	{"post → author", "forum.author_id", "auth_user.id"},
	{"post → author's username", "forum.author_username", "auth_user.username"},
	{"comment → thread", "forum.comment_thread_id", "forum._id"},
	{"comment → parent", "forum.parent_id", "forum._id"},
	{"comment → ancestors", "forum.parent_ids", "forum._id"},
	{"vote → person", "forum.votes", "auth_user.id"},
}

// JoinNames lists the names of all joins that are checked, for those who say them
// in another language.
func JoinNames() []string {
	names := make([]string, len(joinRules))
	for i, rule := range joinRules {
		names[i] = rule.name
	}
	return names
}

// joinColumns are the columns that some rule names.
var joinColumns = func() map[string]bool {
	columns := map[string]bool{}
	for _, rule := range joinRules {
		columns[rule.from], columns[rule.to] = true, true
	}
	return columns
}()

var joinSeed = maphash.MakeSeed()

// joinSets holds the distinct values of the columns that join, as hashes.
type joinSets map[string]map[uint64]struct{}

func (j joinSets) add(column string, value []byte) {
	if value = bytes.TrimSpace(value); len(value) == 0 {
		return
	}
	set := j[column]
	if set == nil {
		set = map[uint64]struct{}{}
		j[column] = set
	}
	set[maphash.Bytes(joinSeed, value)] = struct{}{}
}

// merge takes in the sets of another worker or file.
func (j joinSets) merge(others joinSets) {
	for column, values := range others {
		if j[column] == nil {
			j[column] = values
			continue
		}
		for value := range values {
			j[column][value] = struct{}{}
		}
	}
}

// canonicalName is the spelling under which the platform compares usernames:
// without case, in Unicode's compatibility form.
func canonicalName(name []byte) []byte {
	name = bytes.TrimSpace(name)
	upper := false
	for _, c := range name {
		if c >= utf8.RuneSelf {
			return norm.NFKC.Bytes(cases.Fold().Bytes(norm.NFKC.Bytes(name)))
		}
		upper = upper || c >= 'A' && c <= 'Z'
	}
	if upper {
		return bytes.ToLower(name)
	}
	return name
}

// row takes in one record of a table.
func (j joinSets) row(s *schema, r *records.Fields) {
	for i, field := range r.Values {
		if i < len(s.columns) && s.columns[i].joins != "" && !records.IsNull(r.Raw[i]) {
			value := field
			if strings.HasSuffix(s.columns[i].joins, ".username") {
				value = canonicalName(field)
			}
			j.add(s.columns[i].joins, value)
		}
	}
}

// forumColumn is the name in joinRules of what stands at a path of a forum's
// documents; "" when no rule has it.
func forumColumn(path []string) string {
	column := "forum." + path[0]
	if column == "forum.votes" && (len(path) < 2 || path[1] != "up" && path[1] != "down") || !joinColumns[column] {
		return ""
	}
	return column
}

// joins reports whether some rule joins a path of a forum.
func joins(w *way) bool { return w.join != "" }

// post takes in the leaves of one document of a forum.
func (j joinSets) post(reader *leafReader, leaves []leaf) {
	for i := range leaves {
		l := &leaves[i]
		column := l.spot.way.join
		if column == "" || l.kind == leafNull {
			continue
		}
		value := reader.text(l)
		if column == "forum.author_username" {
			value = canonicalName(value)
		}
		j.add(column, value)
	}
}

// joins turns the sets into the report's list; source is nil when no export was given.
func (v *verifier) joins(release, source joinSets) {
	aliases(release)
	aliases(source)
	for _, rule := range joinRules {
		if given := max(len(source[rule.from]), len(release[rule.from])); given == 0 || len(source[rule.to]) == 0 && len(release[rule.to]) == 0 {
			continue
		}
		if len(release[rule.to]) == 0 || len(release[rule.from]) == 0 {
			v.limit("join " + rule.name + ": one of its columns is empty or not in the release")
			continue
		}
		join := Join{Name: rule.name, Distinct: int64(len(release[rule.from])), Orphans: orphans(release, rule), SourceOrphans: -1}
		if source != nil {
			join.SourceOrphans = orphans(source, rule)
			v.compareJoin(join, len(source[rule.from]))
		}
		v.report.Joins = append(v.report.Joins, join)
	}
}

// compareJoin reports a join that is not what it was. People who were forgotten
// take their rows along, so a release may refer to fewer.
func (v *verifier) compareJoin(join Join, before int) {
	dropped := v.manifest != nil && slices.ContainsFunc(v.manifest.Outputs, func(o Output) bool { return len(o.Dropped) > 0 })
	if dropped {
		v.limit("rows were dropped by a rule: the join " + join.Name + " was counted, not compared")
		return
	}
	if join.Distinct != int64(before) || join.Orphans != join.SourceOrphans {
		v.problem("", fmt.Sprintf("join %s: %d values, %d without counterpart; the export has %d and %d",
			join.Name, join.Distinct, join.Orphans, before, join.SourceOrphans))
	}
}

// aliases gives the two names of the teams' table one.
func aliases(sets joinSets) {
	for column, values := range sets {
		if rest, ok := strings.CutPrefix(column, "teams_courseteam."); ok {
			sets.merge(joinSets{"teams." + rest: values})
		}
	}
}

func orphans(sets joinSets, rule joinRule) int64 {
	n := int64(0)
	for value := range sets[rule.from] {
		if _, ok := sets[rule.to][value]; !ok {
			n++
		}
	}
	return n
}

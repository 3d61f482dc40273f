package sample

import (
	"io"
	"path/filepath"

	"github.com/klauspost/compress/gzip"
)

// edxSite is the site an invented data package comes from.
const edxSite = "edge"

// packageTables are the tables of an edX data package: those of the FUN note
// and the rest.
func packageTables() []table {
	return append(append(funTables(), courseTables()...), assessmentTables()...)
}

func courseTables() []table {
	return []table{
		{name: "user_id_map", rows: members, columns: []column{
			{"hash_id", value, []string{"${hash_id}"}}, {"id", value, []string{"${user_id}"}}, {"username", value, []string{"${username}"}},
		}},
		{name: "student_anonymoususerid", rows: members, columns: []column{
			{"id", value, []string{"${row}"}}, {"user_id", value, []string{"${user_id}"}},
			{"anonymous_user_id", value, []string{"${anonymous_id}"}}, {"course_id", value, []string{"${course_id}"}},
		}},
		{name: "user_api_usercoursetag", rows: some(4), columns: []column{
			{"id", value, []string{"${row}"}}, {"user_id", value, []string{"${user_id}"}},
			{"key", value, []string{"xblock.partition_service.partition_${n:9}"}}, {"course_id", value, []string{"${course_id}"}}, {"value", value, []string{"${n:4}"}},
		}},
		{name: "student_languageproficiency", rows: some(3), columns: []column{
			{"id", value, []string{"${row}"}}, {"user_profile_id", value, []string{"${profile}"}}, {"code", value, []string{"${language}", "zh_HANS"}},
		}},
		{name: "verify_student_verificationstatus", rows: some(8), columns: []column{
			{"timestamp", value, []string{"${date}"}}, {"status", value, []string{"submitted", "approved"}}, {"course_id", value, []string{"${course_id}"}},
			{"checkpoint_location", value, []string{"${vertical}"}}, {"user_id", value, []string{"${user_id}"}},
		}},
		{name: "student_courseaccessrole", rows: some(20), columns: []column{
			{"org", value, []string{"${org}"}}, {"course_id", value, []string{"${course_id}"}}, {"user_id", value, []string{"${user_id}"}},
			{"role", value, []string{"staff", "instructor", "beta_testers"}},
		}},
		{name: "django_comment_client_role_users", rows: members, columns: []column{
			{"course_id", value, []string{"${course_id}"}}, {"user_id", value, []string{"${user_id}"}},
			{"name", value, []string{"Student", "Student", "Student", "Moderator", "Community TA"}},
		}},
		{name: "grades_persistentcoursegrade", rows: members, columns: []column{
			{"course_id", value, []string{"${course_id}"}}, {"user_id", value, []string{"${user_id}"}}, {"grading_policy_hash", value, []string{"${hex:27}="}},
			{"percent_grade", value, []string{"0.${n:99}", "0", "1"}}, {"letter_grade", value, []string{"Pass", ""}}, {"passed_timestamp", value, []string{"${datetime}", "${null}"}},
			{"created", value, []string{"${datetime}"}}, {"modified", value, []string{"${datetime}"}},
		}},
		{name: "grades_persistentsubsectiongrade", rows: some(2), columns: []column{
			{"course_id", value, []string{"${course_id}"}}, {"user_id", value, []string{"${user_id}"}}, {"usage_key", value, []string{"${sequential}"}},
			{"earned_all", value, []string{"${n:9}"}}, {"possible_all", value, []string{"10"}}, {"earned_graded", value, []string{"${n:9}"}}, {"possible_graded", value, []string{"10"}},
			{"first_attempted", value, []string{"${datetime}", "${null}"}}, {"created", value, []string{"${datetime}"}}, {"modified", value, []string{"${datetime}"}},
		}},
		{name: "course_groups_cohortmembership", rows: some(2), columns: []column{
			{"user_id", value, []string{"${user_id}"}}, {"course_id", value, []string{"${course_id}"}}, {"group_type", value, []string{"cohort"}},
			{"name", value, []string{"Groupe ${n:9}", "Groupe de ${other.last}", "Groupe page"}},
		}},
		{name: "auth_user_groups", rows: some(20), columns: []column{
			{"id", value, []string{"${row}"}}, {"user_id", value, []string{"${user_id}"}}, {"name", value, []string{"staff_${org}/${number}"}},
		}},
		{name: "credit_crediteligibility", rows: some(10), columns: []column{
			{"id", value, []string{"${row}"}}, {"created", value, []string{"${datetime}"}}, {"modified", value, []string{"${datetime}"}},
			{"username", value, []string{"${username}"}}, {"deadline", value, []string{"${datetime}"}}, {"course_id", value, []string{"${course_id}"}},
		}},
		{name: "teams", rows: times(5), columns: []column{
			{"id", value, []string{"60${serial}"}}, {"team_id", value, []string{"equipe-${serial}"}}, {"name", freeText, []string{"Les amis de ${first}", "Équipe ${last} & ${other.last}", "Rose"}},
			{"course_id", value, []string{"${course_id}"}}, {"topic_id", value, []string{"projet"}}, {"date_created", value, []string{"${datetime}"}},
			{"description", freeText, []string{"Écrivez à ${email}", "Groupe\tde ${first}\\${other.first}\nBienvenue"}},
			{"country", value, []string{"", "FR"}}, {"language", value, []string{"fr"}}, {"discussion_topic_id", value, []string{"${topic}"}},
			{"last_activity_at", value, []string{"${datetime}"}}, {"team_size", value, []string{"${n:9}"}},
		}},
		{name: "teams_membership", rows: some(4), columns: []column{
			{"id", value, []string{"${row}"}}, {"user_id", value, []string{"${user_id}"}}, {"team_id", value, []string{"60${cycle:5}"}},
			{"date_joined", value, []string{"${datetime}"}}, {"last_activity_at", value, []string{"${datetime}"}},
		}},
		{name: "wiki_article", rows: times(4), columns: []column{
			{"id", value, []string{"50${serial}"}}, {"current_revision_id", value, []string{"80${serial}"}}, {"created", value, []string{"${date}"}}, {"modified", value, []string{"${date}"}},
			{"owner_id", value, []string{"${user_id}", "${null}"}}, {"group_id", value, []string{"${null}"}},
			{"group_read", value, []string{"1"}}, {"group_write", value, []string{"1"}}, {"other_read", value, []string{"1"}}, {"other_write", value, []string{"1"}},
		}},
		{name: "wiki_articlerevision", rows: times(8), columns: []column{
			{"id", value, []string{"80${serial}"}}, {"revision_number", value, []string{"${serial}"}}, {"user_message", freeText, []string{"", "Corrigé par ${first}"}},
			{"automatic_log", freeText, []string{"", "Restored by ${username}"}}, {"ip_address", value, []string{"${ip}", "${null}"}}, {"user_id", value, []string{"${user_id}", "${null}"}},
			{"modified", value, []string{"${date}"}}, {"created", value, []string{"${date}"}}, {"previous_revision_id", value, []string{"${null}", "80${cycle:4}"}},
			{"deleted", value, []string{"0"}}, {"locked", value, []string{"0"}}, {"article_id", value, []string{"50${cycle:4}"}},
			{"content", freeText, []string{"Page de ${first} ${last}\n\n[lien](https://${host}/u/${username})", "\"Bob\" the builder", "Rien sur la rose."}},
			{"title", freeText, []string{"${number}", "${first}-${last}-homepage"}},
		}},
	}
}

// optInTable is the one table of a whole organisation: comma separated.
var optInTable = table{name: "email_opt_in", rows: everybody, columns: []column{
	{"user_id", value, []string{"${user_id}"}}, {"username", value, []string{"${username}"}}, {"email", value, []string{"${email}"}},
	{"full_name", value, []string{"${name}"}}, {"course_id", value, []string{"${course_id}"}},
	{"is_opted_in_for_organization", value, []string{"True", "False"}}, {"preference_set_datetime", value, []string{"${date}"}},
}}

// writePackage writes an edX data package: every course's tables side by side
// in one folder, the assessments below ora/, one log a day.
func (g *generator) writePackage() error {
	tsv := dialect{tab: true, lineEnd: "\n", null: "NULL"}
	optIn, err := compileTable(optInTable)
	if err != nil {
		return err
	}
	for _, c := range g.courses {
		for _, t := range g.tables {
			path := c.Folder + "-" + t.name + "-" + edxSite + "-analytics.sql"
			if t.folder != "" {
				path = filepath.Join(t.folder, path)
			}
			d := tsv
			d.slashes = t.name == "courseware_studentmodule"
			if err := g.writeTable(path, t, c, d); err != nil {
				return err
			}
		}
		if err := g.write(c.Folder+"-"+edxSite+".mongo", c, func(w io.Writer, s *scene) (int64, error) {
			return s.writeForum(w, share(g.options.Posts, len(g.courses), c.Index))
		}); err != nil {
			return err
		}
		if err := g.write(c.Folder+"-course_structure-"+edxSite+"-analytics.json", c, writeStructure); err != nil {
			return err
		}
		year, month, date, _, _ := c.start.civil()
		day := string(appendTwo(append(appendTwo(append(appendTwo([]byte("20"), year%100), '-'), month), '-'), date))
		log := func(w io.Writer, s *scene) (int64, error) {
			return writeGzip(w, func(w io.Writer) (int64, error) {
				return s.writeLog(w, share(g.options.Events, len(g.courses), c.Index))
			})
		}
		if err := g.write("imaginairex-"+edxSite+"-events-"+day+".log.gz", c, log); err != nil {
			return err
		}
		if c.Index == 0 {
			if err := g.writeTable(c.Org+"-email_opt_in-"+edxSite+"-analytics.csv", optIn, c, dialect{lineEnd: "\r\n"}); err != nil {
				return err
			}
		}
	}
	return nil
}

func writeGzip(w io.Writer, fill func(io.Writer) (int64, error)) (int64, error) {
	z, err := gzip.NewWriterLevel(w, gzip.BestSpeed)
	if err != nil {
		return 0, err
	}
	rows, err := fill(z)
	if err != nil {
		return rows, err
	}
	return rows, z.Close()
}

// writeStructure writes the course's blocks as dump_course_structure does.
func writeStructure(w io.Writer, s *scene) (int64, error) {
	c := s.course
	line := append([]byte("{\""), c.usage("course", c.Run)...)
	line = append(line, `": {"category": "course", "children": [], "metadata": {"display_name": "La rose et la pierre"}}`...)
	var rows int64 = 1
	for _, group := range []struct {
		category string
		names    []string
	}{{"chapter", c.chapters}, {"sequential", c.sequentials}, {"vertical", c.verticals}, {"problem", c.problems}, {"video", c.videos}} {
		for _, name := range group.names {
			line = append(line, ", \""...)
			line = c.appendUsage(line, group.category, name)
			line = append(append(append(line, `": {"category": "`...), group.category...), `", "children": [], "metadata": {}}`...)
			rows++
		}
	}
	_, err := w.Write(append(line, "}\n"...))
	return rows, err
}

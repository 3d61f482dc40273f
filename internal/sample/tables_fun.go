package sample

// funTables are the tables of the FUN note, with the columns edX gives them.
// The column role late marks what only newer exports have.
func funTables() []table {
	return []table{
		{name: "auth_user", rows: members, columns: []column{
			{"id", value, []string{"${user_id}"}},
			{"username", value, []string{"${username}"}},
			{"first_name", value, []string{"${first}"}},
			{"last_name", value, []string{"${last}"}},
			{"email", value, []string{"${email}"}},
			{"password", value, []string{"pbkdf2_sha256$20000$${password}", "!${password}"}},
			{"is_staff", value, []string{"0"}},
			{"is_active", value, []string{"1", "1", "1", "0"}},
			{"is_superuser", value, []string{"0"}},
			{"last_login", value, []string{"${date}"}},
			{"date_joined", value, []string{"${earlier}"}},
			{"status", late, []string{""}},
			{"email_key", late, []string{"${null}"}},
			{"avatar_typ", late, []string{""}},
			{"country", late, []string{""}},
			{"show_country", late, []string{"0"}},
			{"date_of_birth", late, []string{"${null}"}},
			{"interesting_tags", late, []string{""}},
			{"ignored_tags", late, []string{""}},
			{"email_tag_filter_strategy", late, []string{"0"}},
			{"display_tag_filter_strategy", late, []string{"0"}},
			{"consecutive_days_visit_count", late, []string{"0", "3"}},
		}},
		{name: "auth_userprofile", rows: members, columns: []column{
			{"id", value, []string{"${profile}"}},
			{"user_id", value, []string{"${user_id}"}},
			{"name", value, []string{"${name}"}},
			{"language", value, []string{"", "${language}"}},
			{"location", value, []string{"", "${city}", "${null}"}},
			{"meta", document, []string{"", "{}",
				`{"old_names": [["${name}", "Mon nom d'usage est ${last}", "${time}"]], "old_emails": [["ancien.${email}", "${time}"]]}`,
				`{"session_id": "${hex:32}", "old_emails": [["${email!upper}", "${time}"]]}`}},
			{"courseware", value, []string{"course.xml", ""}},
			{"gender", value, []string{"${gender}"}},
			{"mailing_address", value, []string{"", "${null}", "${address}", "M. ou Mme ${first} ${last}\r\n${address}", "chez ${other.name},\r\n${address}\r\n\"Le \\Clos\""}},
			{"year_of_birth", value, []string{"${born}"}},
			{"level_of_education", value, []string{"${education}"}},
			{"goals", freeText, []string{"", "${null}", "Apprendre, tout simplement.", "Suivre ce cours avec ${other.first} ${other.last} ;\r\nécrivez-moi : ${email}",
				"To learn about roses & stones, like \"${third.first}\" did", "=1+1 ${first} (${phone})"}},
			{"allow_certificate", value, []string{"1", "1", "1", "0"}},
			{"country", value, []string{"${country}", "${country}", ""}},
			{"city", value, []string{"${city}", "", "${null}"}},
			{"bio", freeText, []string{"", "${null}", "Je m'appelle ${first} ${last} et j'habite à ${city}.\n\nMon pseudo : ${username}", "My friends call me ${first!upper}.\tTabs and \\backslashes\\ too."}},
			{"profile_image_uploaded_at", late, []string{"${null}", "${date}"}},
			{"state", late, []string{"${null}", ""}},
			{"phone_number", late, []string{"${null}", "${phone}", ""}},
		}},
		{name: "student_courseenrollment", rows: members, columns: []column{
			{"id", value, []string{"${row}"}},
			{"user_id", value, []string{"${user_id}"}},
			{"course_id", value, []string{"${course_id}"}},
			{"created", value, []string{"${earlier}"}},
			{"is_active", value, []string{"1", "1", "1", "0"}},
			{"mode", value, []string{"honor", "honor", "audit", "verified"}},
		}},
		{name: "courseware_studentmodule", rows: modules, columns: []column{
			{"id", value, []string{"${row}"}},
			{"module_type", value, []string{"${module_type}"}},
			{"module_id", value, []string{"${module_id}"}},
			{"student_id", value, []string{"${user_id}"}},
			{"state", value, []string{"${state}"}},
			{"grade", value, []string{"${module_grade}"}},
			{"created", value, []string{"${earlier}"}},
			{"modified", value, []string{"${date}"}},
			{"max_grade", value, []string{"${module_maximum}"}},
			{"done", value, []string{"na", "na", "na", "f", "i"}},
			{"course_id", value, []string{"${course_id}"}},
		}},
		{name: "certificates_generatedcertificate", rows: some(2), columns: []column{
			{"id", value, []string{"${row}"}},
			{"user_id", value, []string{"${user_id}"}},
			{"download_url", value, []string{"", "https://certificats.imaginaire.example/downloads/${certificate}/Certificate.pdf"}},
			{"grade", value, []string{"0.${n:90}", "0.0", "1.0", "0.8${n:10}"}},
			{"course_id", value, []string{"${course_id}"}},
			{"key", value, []string{"${certificate_key}", ""}},
			{"distinction", value, []string{"0", "1"}},
			{"status", value, []string{"downloadable", "notpassing", "generating", "error"}},
			{"verify_uuid", value, []string{"", "${verify_key}"}},
			{"download_uuid", value, []string{"", "${certificate}"}},
			{"name", value, []string{"${name}", "${name}", "${name!upper}"}},
			{"created_date", value, []string{"${date}"}},
			{"modified_date", value, []string{"${date}"}},
			{"error_reason", value, []string{"", "", `No certificate for ${name} <${email}>: "name too long"`}},
			{"mode", value, []string{"honor", "audit", "verified"}},
		}},
	}
}

// module is a kind of content block, with the states it leaves in
// courseware_studentmodule.
type module struct {
	kind    string
	names   func(c *Course) []string
	maximum string // largest grade; "NULL" for blocks that are not graded
	states  []string
	state   []*template
}

func moduleKinds() []module {
	return []module{
		{kind: "course", maximum: "NULL", names: func(c *Course) []string { return []string{c.Run} }, states: []string{`{"position": ${n:5}}`, `{}`}},
		{kind: "chapter", maximum: "NULL", names: func(c *Course) []string { return c.chapters }, states: []string{`{"position": ${n:9}}`, `${null}`}},
		{kind: "sequential", maximum: "NULL", names: func(c *Course) []string { return c.sequentials }, states: []string{`{"position":${n:9}}`}},
		{kind: "video", maximum: "NULL", names: func(c *Course) []string { return c.videos }, states: []string{
			`{"saved_video_position": "00:0${n:10}:3${n:10}", "speed": 1.${n:9}0, "transcript_language": "${language}"}`}},
		{kind: "problem", names: func(c *Course) []string { return c.problems }, maximum: "1", states: []string{
			`{"correct_map": {"${input}_2_1": {"hint": "", "hintmode": null, "correctness": "correct", "npoints": null, "msg": "", "queuestate": null}}, "input_state": {"${input}_2_1": {}}, "attempts": ${n:4}, "seed": 1, "done": true, "student_answers": {"${input}_2_1": "choice_${n:4}"}}`,
			`{"seed": 1, "student_answers": {"${input}_2_1": "${text}", "${input}_3_1": ["choice_1", "audit", "rose"]}, "attempts": 1, "last_submission_time": "${time}"}`,
			`{"student_answers": {"${input}_2_1": "Réponse de ${first} ${last} (${email})"}, "correct_map": {}, "done": null, "score": {"raw_earned": 1.0, "raw_possible": 1.50}}`,
		}},
		{kind: "openassessment", names: func(c *Course) []string { return c.essays }, maximum: "10.0", states: []string{
			`{"saved_response": "{\"parts\": [{\"text\": \"${sentence!quoted}\"}]}", "submission_uuid": "${submission}", "has_saved": true, "saved_files_names": "[\"CV_${last!hyphened}_${first!hyphened}.pdf\"]", "saved_files_descriptions": "[\"photo de ${other.first!quoted}\"]"}`,
			`{"submission_uuid": "${submission}", "file_keys": ["${anonymous_id}/${course_id}/${essay}"], "student_id": "${anonymous_id}", "files": [{"fileName": "${username}-devoir.docx", "fileSize": 20${n:99}1}]}`,
		}},
		{kind: "combinedopenended", maximum: "NULL", names: func(c *Course) []string { return c.essays[:1] }, states: []string{
			`{"current_task_number": 0, "task_states": ["{\"child_history\": [{\"answer\": \"${sentence!quoted}\", \"grader_id\": ${other.user_id}, \"score\": 2}]}"], "student_attempts": 1, "graders": [${other.user_id}, ${third.user_id}]}`,
		}},
		{kind: "word_cloud", maximum: "NULL", names: func(c *Course) []string { return c.verticals }, states: []string{
			`{"submitted": true, "student_words": {"${other.first!lower}": 1, "tulipe": 2, "${third.last}": 1}}`,
		}},
	}
}

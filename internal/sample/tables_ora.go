package sample

// assessmentTables are the tables of the ora/ folder. They know people by
// their anonymous ids; answers and feedback are free text.
func assessmentTables() []table {
	key := column{"id", value, []string{"${row}"}}
	created := column{"created_at", value, []string{"${datetime}"}}
	list := []table{
		{name: "assessment_assessment", rows: some(3), columns: []column{{"id", value, []string{"70${serial}"}},
			{"submission_uuid", value, []string{"${submission}"}}, {"scored_at", value, []string{"${datetime}"}},
			{"scorer_id", value, []string{"${other.anonymous_id}"}}, {"score_type", value, []string{"PE", "SE", "ST"}},
			{"feedback", freeText, []string{"", "Bravo ${first} !", "${sentence}\n${sentence}"}}, {"rubric_id", value, []string{"76${cycle:2}"}}}},
		{name: "assessment_assessmentfeedback", rows: some(6), columns: []column{{"id", value, []string{"71${serial}"}},
			{"submission_uuid", value, []string{"${submission}"}}, {"feedback_text", freeText, []string{"Merci à ${other.first} ${other.last}", "${sentence}"}}}},
		{name: "assessment_assessmentfeedback_assessments", rows: times(5), columns: []column{key,
			{"assessmentfeedback_id", value, []string{"71${cycle:1}"}}, {"assessment_id", value, []string{"70${cycle:2}"}}}},
		{name: "assessment_assessmentfeedback_options", rows: times(5), columns: []column{key,
			{"assessmentfeedback_id", value, []string{"71${cycle:1}"}}, {"assessmentfeedbackoption_id", value, []string{"72${cycle:3}"}}}},
		{name: "assessment_assessmentfeedbackoption", rows: times(3), columns: []column{{"id", value, []string{"72${serial}"}},
			{"text", value, []string{"These assessments were useful.", "Ces avis étaient utiles."}}}},
		{name: "assessment_assessmentpart", rows: some(3), columns: []column{key,
			{"assessment_id", value, []string{"70${cycle:2}"}}, {"option_id", value, []string{"74${cycle:3}"}},
			{"feedback", freeText, []string{"", "${sentence}"}}, {"criterion_id", value, []string{"73${cycle:3}"}}}},
		{name: "assessment_criterion", rows: times(3), columns: []column{{"id", value, []string{"73${serial}"}},
			{"rubric_id", value, []string{"76${cycle:2}"}}, {"name", value, []string{"Idées"}}, {"label", value, []string{"Idées"}},
			{"order_num", value, []string{"${n:3}"}}, {"prompt", value, []string{"L'idée est-elle claire, comme une rose ?"}}}},
		{name: "assessment_criterionoption", rows: times(3), columns: []column{{"id", value, []string{"74${serial}"}},
			{"criterion_id", value, []string{"73${cycle:3}"}}, {"order_num", value, []string{"${n:3}"}}, {"points", value, []string{"${n:5}"}},
			{"name", value, []string{"Bien"}}, {"label", value, []string{"Bien"}}, {"explanation", value, []string{"Page complète"}}}},
		{name: "assessment_peerworkflow", rows: some(3), columns: []column{{"id", value, []string{"75${serial}"}},
			{"student_id", value, []string{"${anonymous_id}"}}, {"item_id", value, []string{"${essay}"}}, {"course_id", value, []string{"${course_id}"}},
			{"submission_uuid", value, []string{"${submission}"}}, created, {"completed_at", value, []string{"${null}", "${datetime}"}},
			{"grading_completed_at", value, []string{"${null}"}}, {"cancelled_at", value, []string{"${null}"}}}},
		{name: "assessment_peerworkflowitem", rows: some(3), columns: []column{key,
			{"scorer_id", value, []string{"75${cycle:2}"}}, {"author_id", value, []string{"75${cycle:1}"}}, {"submission_uuid", value, []string{"${submission}"}},
			{"started_at", value, []string{"${datetime}"}}, {"assessment_id", value, []string{"70${cycle:2}", "${null}"}}, {"scored", value, []string{"0", "1"}}}},
		{name: "assessment_rubric", rows: times(2), columns: []column{{"id", value, []string{"76${serial}"}},
			{"content_hash", value, []string{"${hex:40}"}}, {"structure_hash", value, []string{"${hex:40}"}}}},
		{name: "assessment_studenttrainingworkflow", rows: some(4), columns: []column{{"id", value, []string{"77${serial}"}},
			{"submission_uuid", value, []string{"${submission}"}}, {"student_id", value, []string{"${anonymous_id}"}},
			{"item_id", value, []string{"${essay}"}}, {"course_id", value, []string{"${course_id}"}}}},
		{name: "assessment_studenttrainingworkflowitem", rows: times(4), columns: []column{key,
			{"workflow_id", value, []string{"77${cycle:1}"}}, {"order_num", value, []string{"${n:3}"}}, {"started_at", value, []string{"${datetime}"}},
			{"completed_at", value, []string{"${null}"}}, {"training_example_id", value, []string{"78${cycle:2}"}}}},
		{name: "assessment_trainingexample", rows: times(2), columns: []column{{"id", value, []string{"78${serial}"}},
			{"raw_answer", document, []string{`{"parts": [{"text": "Une rose est une rose."}]}`}}, {"rubric_id", value, []string{"76${cycle:2}"}}, {"content_hash", value, []string{"${hex:40}"}}}},
		{name: "assessment_trainingexample_options_selected", rows: times(2), columns: []column{key,
			{"trainingexample_id", value, []string{"78${cycle:2}"}}, {"criterionoption_id", value, []string{"74${cycle:3}"}}}},
		{name: "submissions_score", rows: some(4), columns: []column{key,
			{"student_item_id", value, []string{"${item}"}}, {"submission_id", value, []string{"${null}"}}, {"points_earned", value, []string{"${n:9}"}},
			{"points_possible", value, []string{"10"}}, created, {"reset", value, []string{"0"}}}},
		{name: "submissions_scoresummary", rows: times(4), columns: []column{key,
			{"student_item_id", value, []string{"${item}"}}, {"highest_id", value, []string{"${n:999}"}}, {"latest_id", value, []string{"${n:999}"}}}},
		{name: "submissions_studentitem", rows: some(2), columns: []column{{"id", value, []string{"${item}"}},
			{"student_id", value, []string{"${anonymous_id}"}}, {"course_id", value, []string{"${course_id}"}},
			{"item_id", value, []string{"${essay}"}}, {"item_type", value, []string{"openassessment"}}}},
		{name: "submissions_submission", rows: some(2), columns: []column{key,
			{"uuid", value, []string{"${submission}"}}, {"student_item_id", value, []string{"${item}"}}, {"attempt_number", value, []string{"1"}},
			{"submitted_at", value, []string{"${datetime}"}}, created,
			{"raw_answer", document, []string{`{"parts": [{"text": "${message}"}], "file_key": "${anonymous_id}/${course_id}/${essay}"}`, `{"text": "${sentence}"}`}},
			{"status", value, []string{"A", "D"}}}},
		{name: "workflow_assessmentworkflow", rows: some(3), columns: []column{{"id", value, []string{"79${serial}"}},
			{"created", value, []string{"${datetime}"}}, {"modified", value, []string{"${datetime}"}}, {"status", value, []string{"peer", "done"}},
			{"status_changed", value, []string{"${datetime}"}}, {"submission_uuid", value, []string{"${submission}"}}, {"uuid", value, []string{"${uuid}"}},
			{"course_id", value, []string{"${course_id}"}}, {"item_id", value, []string{"${essay}"}}}},
		{name: "workflow_assessmentworkflowstep", rows: times(5), columns: []column{key,
			{"workflow_id", value, []string{"79${cycle:2}"}}, {"name", value, []string{"peer", "self"}}, {"submitter_completed_at", value, []string{"${datetime}", "${null}"}},
			{"assessment_completed_at", value, []string{"${null}"}}, {"order_num", value, []string{"${n:3}"}}}},
	}
	for i := range list {
		list[i].folder = "ora"
	}
	return list
}

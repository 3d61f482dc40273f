package sample

// learnerEvents are what learners cause day by day: most of a log.
var learnerEvents = []eventSource{
	// Videos and navigation, by the browser.
	{event: "play_video", envelope: "browser", form: inJSON, weight: 60, payload: `{"id": "${video_name}", "currentTime": ${seconds}, "code": "html5"}`},
	{event: "pause_video", envelope: "browser", form: inJSON, weight: 40, payload: `{"id": "${video_name}", "currentTime": ${seconds}, "code": "html5"}`},
	{event: "seek_video", envelope: "browser", form: inJSON, weight: 20, payload: `{"id": "${video_name}", "old_time": ${seconds}, "new_time": ${seconds}, "type": "onSlideSeek", "code": "html5"}`},
	{event: "stop_video", envelope: "browser", form: inJSON, weight: 15, payload: `{"id":"${video_name}","currentTime":${seconds},"code":"mobile"}`},
	{event: "load_video", envelope: "browser", form: inJSON, weight: 30, payload: `{"id": "${video_name}", "code": "html5"}`},
	{event: "speed_change_video", envelope: "browser", form: inJSON, weight: 8, payload: `{"id": "${video_name}", "current_time": ${seconds}, "old_speed": "1.0", "new_speed": "1.50", "code": "html5"}`},
	{event: "show_transcript", envelope: "browser", form: inJSON, weight: 4, payload: `{"id": "${video_name}", "code": "html5", "currentTime": ${seconds}}`},
	{event: "seq_goto", envelope: "browser", form: inJSON, weight: 12, payload: `{"id": "${sequential}", "new": ${n:9}, "old": ${n:9}}`},
	{event: "seq_next", envelope: "browser", form: inJSON, weight: 25, payload: `{"id": "${sequential}", "new": ${n:9}, "old": ${n:9}}`},
	{event: "seq_prev", envelope: "browser", form: inJSON, weight: 6, payload: `{"id": "${sequential}", "new": ${n:9}, "old": ${n:9}}`},
	{event: "page_close", envelope: "browser", form: inJSON, weight: 40, payload: `{}`},
	{event: "book", envelope: "browser", form: inJSON, weight: 3, payload: `{"type": "gotopage", "old": ${n:99}, "new": ${n:99}, "chapter": "/static/Manuel/page.pdf"}`},
	{event: "textbook.pdf.search.executed", envelope: "browser", form: inJSON, weight: 2, payload: `{"name": "textbook.pdf.search.executed", "query": "${sentence}", "page": 12, "caseSensitive": false, "chapter": "/static/rose.pdf"}`},
	{event: "edx.ui.lms.link_clicked", envelope: "browser", form: inJSON, weight: 8, payload: `{"current_url": "https://${host}/u/${username}", "target_url": "https://${host}/courses/${course_id}/progress"}`},
	{event: "edx.ui.lms.sequence.tab_selected", envelope: "browser", form: inJSON, weight: 6, payload: `{"current_tab": 1, "tab_count": 5, "widget_placement": "top", "target_tab": 3, "id": "${sequential}"}`},

	// Problems: query strings and lists from the browser, objects from the server.
	{event: "problem_check", envelope: "browser", form: asQuery, weight: 20, payload: `input_${input}_2_1=choice_${n:4}&input_${input}_3_1=${sentence}`},
	{event: "problem_save", envelope: "browser", form: asQuery, weight: 4, payload: `input_${input}_2_1=${first}+${last}&input_${input}_4_1%5B%5D=choice_2`},
	{event: "problem_reset", envelope: "browser", form: asQuery, weight: 2, payload: `input_${input}_2_1=`},
	{event: "problem_show", envelope: "browser", form: inJSON, weight: 10, payload: `{"problem": "${problem}"}`},
	{event: "problem_graded", envelope: "browser", form: asJSON, weight: 10, payload: `["input_${input}_2_1=choice_1&input_${input}_3_1=${sentence!percent}", "<div class=\"status\">${first}, <b>bravo</b> &amp; merci</div>"]`},
	{event: "problem_check", envelope: "server", form: asJSON, weight: 25, payload: `{"submission": {"${input}_2_1": {"input_type": "choicegroup", "question": "Qu'est-ce qu'une rose ?", "response_type": "multiplechoiceresponse", "answer": "${sentence}", "variant": "", "correct": true}}, "success": "correct", "grade": 1, "correct_map": {"${input}_2_1": {"hint": "", "hintmode": null, "correctness": "correct", "msg": "", "npoints": null, "queuestate": null}}, "state": {"student_answers": {"${input}_2_1": "choice_1"}, "seed": 1, "done": true, "correct_map": {}, "input_state": {"${input}_2_1": {}}}, "answers": {"${input}_2_1": "${text}"}, "attempts": ${n:5}, "max_grade": 1.50, "problem_id": "${problem}"}`},
	{event: "problem_check_fail", envelope: "server", form: asJSON, weight: 3, payload: `{"failure": "unreset", "state": {"seed": 1, "done": true}, "answers": {"${input}_2_1": "${last}"}, "problem_id": "${problem}"}`},
	{event: "save_problem_success", envelope: "server", form: asJSON, weight: 3, payload: `{"state": {"student_answers": {"${input}_2_1": "moi, ${name}"}}, "problem_id": "${problem}", "answers": {"${input}_2_1": "audit"}}`},
	{event: "showanswer", envelope: "server", form: asJSON, weight: 5, payload: `{"problem_id": "${problem}"}`},
	{event: "edx.problem.hint.demandhint_displayed", envelope: "server", form: asJSON, weight: 3, payload: `{"module_id": "${problem}", "hint_index": 0, "hint_len": 1, "hint_text": "Pensez à la rose, ${first} !"}`},
	{event: "edx.grades.problem.submitted", envelope: "server", form: asJSON, weight: 6, payload: `{"user_id": "${user_id}", "course_id": "${course_id}", "problem_id": "${problem}", "event_transaction_id": "${uuid}", "event_transaction_type": "edx.grades.problem.submitted", "weighted_earned": 1.0, "weighted_possible": 1.0}`},

	// Enrolment and account.
	{event: "edx.course.enrollment.activated", envelope: "server", form: asJSON, weight: 4, payload: `{"course_id": "${course_id}", "user_id": ${user_id}, "mode": "${pick:audit|honor|verified}"}`},
	{event: "edx.course.enrollment.deactivated", envelope: "server", form: asJSON, weight: 2, payload: `{"course_id": "${course_id}", "user_id": ${other.user_id}, "mode": "honor"}`},
	{event: "edx.course.enrollment.mode_changed", envelope: "server", form: asJSON, weight: 1, payload: `{"course_id": "${course_id}", "user_id": ${other.user_id}, "mode": "audit"}`},
	{event: "edx.certificate.created", envelope: "server", form: asJSON, weight: 1, payload: `{"user_id": ${user_id}, "course_id": "${course_id}", "certificate_id": "${certificate}", "certificate_url": "https://${host}/certificates/user/${user_id}/course/${course_id}", "enrollment_mode": "honor", "generation_mode": "self"}`},
	{event: "edx.certificate.shared", envelope: "server", form: asJSON, weight: 1, payload: `{"certificate_id": "${certificate}", "certificate_url": "https://${host}/certificates/${certificate}", "social_network": "Réseau", "enrollment_mode": "verified"}`},
	{event: "edx.badge.assertion.created", envelope: "server", form: asJSON, weight: 1, payload: `{"user_id": ${user_id}, "assertion_id": 42, "assertion_image_url": "https://badges.imaginaire.example/${username}.png", "assertion_json_url": "https://badges.imaginaire.example/api?user=${username}&email=${email!percent}", "badge_name": "rose"}`},
	{event: "edx.user.settings.changed", envelope: "server", form: asJSON, weight: 2, payload: `{"user_id": ${user_id}, "setting": "email", "old": "${email}", "new": "nouveau.${email}", "table": "auth_user", "truncated": []}`},
	{event: "edx.user.settings.viewed", envelope: "server", form: asJSON, weight: 1, payload: `{"user_id": ${user_id}, "page": "profile", "visibility": "all_users"}`},

	// Forum, notes, teams, bookmarks.
	{event: "edx.forum.thread.created", envelope: "server", form: asJSON, weight: 4, payload: `{"category_id": "${commentable}", "category_name": "Général", "id": "${hex:24}", "title": "${title}", "title_truncated": false, "body": "${message}", "truncated": false, "anonymous": false, "anonymous_to_peers": false, "commentable_id": "${commentable}", "group_id": null, "options": {"followed": true}, "thread_type": "discussion", "url": "https://${host}/courses/${course_id}/discussion/forum/${commentable}/threads/${hex:24}", "user_course_roles": [], "user_forums_roles": ["Student"], "team_id": "equipe-${n:6}"}`},
	{event: "edx.forum.response.created", envelope: "server", form: asJSON, weight: 6, payload: `{"body": "${message}", "discussion": {"id": "${hex:24}"}, "id": "${hex:24}", "commentable_id": "${commentable}", "truncated": false, "user_forums_roles": ["Student"]}`},
	{event: "edx.forum.comment.created", envelope: "server", form: asJSON, weight: 6, payload: `{"body": "@${other.username} ${sentence}", "discussion": {"id": "${hex:24}"}, "response": {"id": "${hex:24}"}, "commentable_id": "${commentable}"}`},
	{event: "edx.forum.searched", envelope: "server", form: asJSON, weight: 4, payload: `{"query": "${other.first} ${other.last}", "search_text": "${third.first!lower}", "page": 1, "total_results": ${n:30}, "corrected_text": null, "group_id": null}`},
	{event: "edx.forum.thread.voted", envelope: "server", form: asJSON, weight: 3, payload: `{"id": "${hex:24}", "target_username": "${other.username}", "undo_vote": false, "vote_value": "up", "commentable_id": "${commentable}"}`},
	{event: "edx.forum.thread.viewed", envelope: "browser", form: inJSON, weight: 6, payload: `{"id": "${hex:24}", "title": "${title}", "target_username": "${other.username}", "category_id": "${commentable}", "url": "https://${host}/courses/${course_id}/discussion/forum/users/${other.user_id}/followed"}`},
	{event: "edx.course.student_notes.added", envelope: "browser", form: inJSON, weight: 2, payload: `{"note_id": "${hex:20}", "note_text": "${text}", "highlighted_content": "Une rose est une rose. ${sentence}", "truncated": [], "tags": ["${other.first!lower}", "révision"], "component_usage_id": "${vertical}"}`},
	{event: "edx.course.student_notes.edited", envelope: "browser", form: inJSON, weight: 1, payload: `{"note_id": "${hex:20}", "old_note_text": "${sentence}", "note_text": "${sentence}", "old_tags": [], "tags": ["${third.last}"]}`},
	{event: "edx.course.student_notes.searched", envelope: "server", form: asJSON, weight: 1, payload: `{"search_string": "${third.name}", "number_of_results": ${n:9}}`},
	{event: "edx.bookmark.added", envelope: "server", form: asJSON, weight: 2, payload: `{"bookmark_id": "${username},${problem}", "component_type": "problem", "component_usage_id": "${problem}", "course_id": "${course_id}"}`},
	{event: "edx.bookmark.listed", envelope: "server", form: asJSON, weight: 1, payload: `{"list_type": "per_course", "bookmarks_count": 3, "course_id": "${course_id}", "page_size": 10, "page_number": 1}`},
	{event: "edx.team.created", envelope: "server", form: asJSON, weight: 1, payload: `{"team_id": "equipe-de-${first!hyphened}-${n:99}"}`},
	{event: "edx.team.learner_added", envelope: "server", form: asJSON, weight: 1, payload: `{"team_id": "equipe-${n:6}", "user_id": ${other.user_id}, "add_method": "added_by_another_user"}`},
	{event: "edx.team.changed", envelope: "server", form: asJSON, weight: 1, payload: `{"team_id": "equipe-${n:6}", "field": "description", "old": "${sentence}", "new": "${sentence}", "truncated": []}`},
	{event: "edx.googlecomponent.document.displayed", envelope: "browser", form: inJSON, weight: 1, payload: `{"url": "https://docs.exemple.example/d/${hex:16}?usp=${email!percent}", "displayed_in": "iframe"}`},
	{event: "edx.librarycontentblock.content.assigned", envelope: "server", form: asJSON, weight: 1, payload: `{"location": "${vertical}", "added": [{"usage_key": "${problem}", "original_usage_key": null, "descendants": []}], "result": [], "max_count": 1}`},
	{event: "edx.special_exam.timed.attempt.started", envelope: "server", form: asJSON, weight: 1, payload: `{"exam_id": 4, "exam_content_id": "${sequential}", "attempt_id": ${n:9000}, "attempt_user_id": ${other.user_id}, "attempt_code": "${uuid}", "attempt_started_at": "${time}"}`},
	{event: "edx.special_exam.proctored.allowance.created", envelope: "server", form: asJSON, weight: 1, payload: `{"exam_id": 4, "allowance_user_id": ${other.user_id}, "allowance_key": "additional_time_granted", "allowance_value": "30"}`},

	// Open response assessment.
	{event: "openassessmentblock.create_submission", envelope: "server", form: asJSON, weight: 2, payload: `{"submission_uuid": "${submission}", "attempt_number": 1, "created_at": "${time}", "submitted_at": "${time}", "answer": {"parts": [{"text": "${message}"}], "file_keys": ["${anonymous_id}/${course_id}/${essay}"], "files_descriptions": ["${sentence}"]}}`},
	{event: "openassessmentblock.peer_assess", envelope: "server", form: asJSON, weight: 2, payload: `{"feedback": "${sentence}", "rubric": {"content_hash": "${hex:40}"}, "scorer_id": "${other.anonymous_id}", "score_type": "PE", "scored_at": "${time}", "submission_uuid": "${submission}", "parts": [{"option": {"name": "Bien", "points": 3}, "criterion": {"name": "Idées", "points_possible": 5}, "feedback": "${text}"}]}`},
	{event: "openassessmentblock.get_peer_submission", envelope: "server", form: asJSON, weight: 1, payload: `{"item_id": "${essay}", "course_id": "${course_id}", "requesting_student_id": "${anonymous_id}", "submission_returned_uuid": "${other.submission}"}`},
	{event: "openassessmentblock.get_submission_for_staff_grading", envelope: "server", form: asJSON, weight: 1, payload: `{"item_id": "${essay}", "requesting_staff_id": "${other.anonymous_id}", "submission_returned_uuid": "${other.submission}", "type": "full-grade"}`},
	{event: "openassessmentblock.save_submission", envelope: "server", form: asJSON, weight: 1, payload: `{"saved_response": "{\"parts\": [{\"text\": \"${sentence!quoted}\"}]}"}`},
	{event: "openassessment.upload_file", envelope: "browser", form: inJSON, weight: 1, payload: `{"fileName": "Devoir_${last!hyphened}_${first!hyphened}.pdf", "fileSize": ${n:99999}, "fileType": "application/pdf"}`},
	{event: "edx.video.transcript.shown", envelope: "mobile", form: asJSON, weight: 2, payload: `{"module_id": "${video}", "code": "mobile", "current_time": ${seconds}}`},
	{event: "play_video", envelope: "mobile", form: inJSON, weight: 6, payload: `{"module_id": "${video}", "current_time": ${seconds}, "code": "mobile", "component": "videoplayer"}`},
}

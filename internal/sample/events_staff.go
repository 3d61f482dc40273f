package sample

// staffEvents are what course teams and the server's URLs leave: events about
// other people, and people in addresses.
var staffEvents = []eventSource{
	// The instructor's dashboard.
	{event: "list-students", envelope: "server", form: asJSON, payload: `{"instructor": "${username}"}`},
	{event: "dump-graded-assignments-config", envelope: "server", form: asJSON, payload: `{"instructor": "${username}", "course": "${course_id}"}`},
	{event: "reset-student-attempts", envelope: "server", form: asJSON, payload: `{"old_attempts": "{\"attempts\": 3, \"student\": \"${other.username!quoted}\"}", "student": "${other.username}", "problem": "${problem}", "instructor": "${username}", "course": "${course_id}"}`},
	{event: "delete-student-module-state", envelope: "server", form: asJSON, payload: `{"problem": "${problem}", "student": "${other.username}", "instructor": "${username}", "course": "${course_id}"}`},
	{event: "rescore-student-submission", envelope: "server", form: asJSON, payload: `{"student": "${other.email}", "problem": "${problem}", "instructor": "${username}", "course": "${course_id}"}`},
	{event: "get-student-progress-page", envelope: "server", form: asJSON, payload: `{"student": "${other.username}", "instructor": "${username}", "course": "${course_id}"}`},
	{event: "add-instructor", envelope: "server", form: asJSON, payload: `{"instructor": "${other.username}"}`},
	{event: "add-forum-admin", envelope: "server", form: asJSON, payload: `{"username": "${other.username}", "course": "${course_id}"}`},
	{event: "edx.cohort.user_added", envelope: "server", form: asJSON, payload: `{"cohort_id": 3, "cohort_name": "Groupe de ${third.last}", "user_id": ${other.user_id}}`},
	{event: "edx.cohort.user_add_requested", envelope: "server", form: asJSON, payload: `{"cohort_id": 3, "cohort_name": "Groupe page", "user_id": ${other.user_id}, "previous_cohort_id": null}`},
	{event: "edx.instructor.report.downloaded", envelope: "browser", form: inJSON, payload: `{"report_url": "https://${host}/rapports/${other.username!percent}_grade_report.csv"}`},
	{event: "edx.instructor.report.requested", envelope: "server", form: asJSON, payload: `{"report_type": "user_ids", "users": [{"username": "${other.username}", "id": ${other.user_id}}, {"username": "${third.username}", "id": ${third.user_id}}]}`},
	{event: "edx.grades.grading_policy_changed", envelope: "server", form: asJSON, payload: `{"course_id": "${course_id}", "user_id": "${user_id}", "grading_policy_hash": "${hex:28}="}`},

	// Server URL events: the type is the URL, the payload what was sent to it.
	{event: "/courses/${course_id}/progress/${other.user_id}/", envelope: "request", form: inJSON, path: "/courses/${course_id}/progress/${other.user_id}/", payload: `{"POST": {}, "GET": {}}`, weight: 3},
	{event: "/u/${other.username!percent}", envelope: "request", form: inJSON, path: "/u/${other.username!percent}", payload: `{"POST": {}, "GET": {}}`, weight: 3},
	{event: "/courses/${course_id}/discussion/forum/users/${other.user_id}/followed", envelope: "request", form: inJSON, path: "/courses/${course_id}/discussion/forum/users/${other.user_id}/followed", payload: `{"POST": {}, "GET": {"page": ["1"], "sort_key": ["date"]}}`, weight: 3},
	{event: "/courses/${course_id}/courseware/${chapter}", envelope: "request", form: inJSON, path: "/courses/${course_id}/courseware/", payload: `{"POST": {}, "GET": {}}`, weight: 20},
	{event: "/courses/${course_id}/info", envelope: "request", form: inJSON, path: "/courses/${course_id}/info", payload: `{"POST": {}, "GET": {}}`, weight: 12},
	{event: "/courses/${course_id}/instructor/api/students_update_enrollment", envelope: "request", form: inJSON, path: "/courses/${course_id}/instructor/api/students_update_enrollment", payload: `{"POST": {"action": ["enroll"], "identifiers": ["${other.email}\n${third.username}, ${third.email}"], "auto_enroll": ["true"], "email_students": ["false"]}, "GET": {}}`},
	{event: "/courses/${course_id}/instructor/api/modify_access", envelope: "request", form: inJSON, path: "/courses/${course_id}/instructor/api/modify_access", payload: `{"POST": {}, "GET": {"unique_student_identifier": ["${other.email}"], "rolename": ["staff"], "action": ["allow"], "betausers": ["${third.username}"], "staffuser": ["${other.username}"]}}`},
	{event: "/courses/${course_id}/instructor/api/reset_student_attempts", envelope: "request", form: inJSON, path: "/courses/${course_id}/instructor/api/reset_student_attempts", payload: `{"POST": {"unique_student_identifier": ["${other.username}"], "problem_to_reset": ["${problem}"], "instructor": ["${username}"], "delete_module": ["false"]}, "GET": {}}`},
	{event: "/courses/${course_id}/instructor/api/send_email", envelope: "request", form: inCut, path: "/courses/${course_id}/instructor/api/send_email", payload: `{"POST": {"send_to": ["myself"], "subject": ["Pour ${other.first} ${other.last}"], "message": ["<p>Bonjour ${other.first},</p><p>${text}</p><p>Écrivez à ${email} ou à ${third.email} (${third.name})</p>`},
	{event: "/courses/${course_id}/xblock/${problem}/handler/xmodule_handler/problem_check", envelope: "request", form: inCut, path: "/courses/${course_id}/xblock/", weight: 5, payload: `{"POST": {"input_${input}_2_1": ["${sentence}"], "input_${input}_3_1": ["${username} / ${email}"], "csrfmiddlewaretoken": ["${csrf}"], "input_${input}_4_1": ["${text}"], "long": ["`},
	{event: "/create_account", envelope: "visitor", form: inJSON, path: "/create_account", payload: `{"POST": {"username": ["${username}"], "email": ["${email}"], "name": ["${name}"], "password": "********", "mailing_address": ["${address}"], "goals": ["${sentence}"], "csrfmiddlewaretoken": ["${csrf}"], "terms_of_service": ["true"]}, "GET": {}}`},
	{event: "/login_ajax", envelope: "visitor", form: inJSON, path: "/login_ajax", payload: `{"POST": {"email": ["${email}"], "password": "********", "remember": ["true"]}, "GET": {"next": ["/u/${username!percent}"]}}`},
	{event: "/change_email", envelope: "request", form: inJSON, path: "/change_email", payload: `{"POST": {"new_email": ["${email!upper}"], "new_password1": ["${hex:12}"], "email": ["${email}"]}, "GET": {}}`},
	{event: "/activate/${activation}", envelope: "visitorNull", form: inJSON, path: "/activate/${activation}", payload: `{"POST": {}, "GET": {}}`},
	{event: "/password_reset_confirm/${user_id36}-${hex:20}/", envelope: "visitorNull", form: inJSON, path: "/password_reset_confirm/${user_id36}-${hex:20}/", payload: `{"POST": {}, "GET": {}}`},
	{event: "/wiki/${number}/${first!hyphened}-${last!hyphened}-homepage/", envelope: "request", form: inJSON, path: "/wiki/${number}/${first!hyphened}-${last!hyphened}-homepage/", payload: `{"POST": {"title": ["${first} ${last}"], "content": ["${message}"], "summary": ["page de ${username}"]}, "GET": {}}`},
	{event: "/api/user/v1/accounts/${username!percent}", envelope: "request", form: inJSON, path: "/api/user/v1/accounts/${username!percent}", payload: `{"POST": {}, "GET": {"user": ["${username}"], "view": ["shared"]}}`},
	{event: "/courses/${course_id}/wiki/recherche?user=${other.username!percent}&email=${other.email!percent}&page=1", envelope: "request", form: inJSON, path: "/courses/${course_id}/wiki/recherche", payload: `{"POST": {}, "GET": {"user": ["${other.username}"], "email": ["${other.email}"]}}`},
	{event: "/jsi18n/", envelope: "visitor", form: inJSON, path: "/jsi18n/", payload: `{"POST": {}, "GET": {}}`, weight: 4},
}

// oddEvents are payloads and lines that readers trip over: every envelope of
// the list comes at least once.
var oddEvents = []eventSource{
	{event: "page_close", envelope: "legacy", form: asJSON, payload: `""`, weight: 3},
	{event: "seq_next", envelope: "compact", form: inJSON, payload: `{"id":"${sequential}","new":2,"old":1}`, weight: 2},
	{event: "edx.course.enrollment.activated", envelope: "prefixed", form: asJSON, payload: `{"course_id": "${course_id}", "user_id": ${user_id}, "mode": "audit"}`},
	{event: "showanswer", envelope: "prefixedUser", form: asJSON, payload: `{"problem_id": "${problem}"}`},
	{event: "page_close", envelope: "ipMissing", form: asJSON, payload: `null`},
	{event: "page_close", envelope: "ipNull", form: inJSON, payload: `{}`},
	{event: "page_close", envelope: "ipEmpty", form: inJSON, payload: `{}`},
	{event: "play_video", envelope: "ipPrivate", form: inJSON, payload: `{"id": "${video_name}"}`},
	{event: "play_video", envelope: "ipLoopback", form: inJSON, payload: `{"id": "${video_name}"}`},
	{event: "play_video", envelope: "ipExample", form: inJSON, payload: `{"id": "${video_name}"}`},
	{event: "play_video", envelope: "ipSix", form: inJSON, payload: `{"id": "${video_name}"}`},
	{event: "play_video", envelope: "ipMapped", form: inJSON, payload: `{"id": "${video_name}"}`},
	{event: "pause_video", envelope: "ipPort", form: inJSON, payload: `{"id": "${video_name}"}`},
	{event: "pause_video", envelope: "ipList", form: inJSON, payload: `{"id": "${video_name}"}`},
	{event: "pause_video", envelope: "ipMalformed", form: inJSON, payload: `{"id": "${video_name}"}`},
	{event: "pause_video", envelope: "ipUnknown", form: inJSON, payload: `{"id": "${video_name}"}`},
	{event: "seq_goto", envelope: "userIdText", form: inJSON, payload: `{"id": "${sequential}", "new": 1, "old": 1}`},
	{event: "seq_goto", envelope: "userIdFloat", form: inJSON, payload: `{"id": "${sequential}", "new": 1e0, "old": -0}`},
	{event: "edx.enterprise.login", envelope: "contextEmail", form: asJSON, payload: `{"user_id": "${user_id}"}`},
	{event: "showanswer", envelope: "masquerade", form: asJSON, payload: `{"problem_id": "${problem}", "show_answer_for": "${third.username}"}`},
	{event: "showanswer", envelope: "duplicateKeys", form: asJSON, payload: `{"problem_id": "${problem}", "problem_id": "${problem}"}`},
	{event: "showanswer", envelope: "escapedKeys", form: asJSON, payload: `{"problem\u005fid": "${problem}", "\u0075ser_id": ${other.user_id}}`},
	{event: "showanswer", envelope: "escapedValues", form: asJSON, payload: `{"problem_id": "${problem!slashes}", "username": "${other.username!unicode}"}`},
	{event: "showanswer", envelope: "keyedByPeople", form: asJSON, payload: `{"problem_id": "${problem}", "graders": {"${other.username}": 0.5, "${third.anonymous_id}": 1.50}}`},

	// Codes in codes.
	{event: "problem_show", envelope: "browser", form: inTwice, payload: `{"problem": "${problem}", "user": "${username}", "note": "${sentence}"}`},
	{event: "edx.forum.searched", envelope: "server", form: inTwice, payload: `{"query": "${other.name}", "email": "${other.email}"}`},
	{event: "imaginaire.export.requested", envelope: "server", form: asJSON, payload: `{"blob": "${other.email!base64}", "link": "https://${host}/x?d=${third.username!base64}", "html": "<a href='/u/${other.username!percent}'>${other.first!entities} ${other.last!entities}</a>"}`},
	{event: "imaginaire.callback", envelope: "server", form: asJSON, payload: `{"next": "https://${host}/login?next=%2Fu%2F${username!percent}%3Fmail%3D${email!percent}", "state": "{\"return\": \"/courses/${course_id}/progress/${user_id}/\"}"}`},
	{event: "imaginaire.trace", envelope: "server", form: inJSON, payload: `{u'user': u'${username}', u'email': u'${email}', u'n': 1L`},

	// Types and fields no documentation knows.
	{event: "imaginaire.mentor.assigned", envelope: "server", form: asJSON, payload: `{"mentor_login": "${other.username}", "mentee": {"contact": "${third.email}", "tel": "${third.phone}", "who": "${third.name}", "number": ${third.user_id}}, "notes": [["${other.first}", 3], ["${third.last}", null]], "mode": "audit", "big": 12345678901234567890, "ratio": 1.50e+01, "ok": true}`},
	{event: "imaginaire.upload", envelope: "browser", form: inJSON, payload: `{"student_id": ${user_id}, "anonymous_student_id": "${anonymous_id}", "file_upload_key": "${anonymous_id}/${course_id}/${essay}", "student_answer": "${text}", "fileName": "photo ${name}.jpg", "mode": "verified"}`},
	{event: "imaginaire.survey.answered", envelope: "mobile", form: asJSON, payload: `{"q1": "${message}", "q2": "${phone}", "q3": ["rose", "page", "audit"], "respondent": "${email}", "address": "${ip}", "session_ref": "${session}"}`},
	{event: "xblock.imaginaire.chat", envelope: "browser", form: asQuery, payload: `from=${username}&to=${other.username}&text=${text}&mail=${email}`},
	{event: "edx.course.enrollment.upgrade.clicked", envelope: "browser", form: inJSON, payload: `"upgrade"`},
	{event: "add_resource", envelope: "request", form: asJSON, payload: `[]`},
	{event: "problem_rescore", envelope: "server", form: asJSON, payload: `{"state": null, "orig_score": 0, "new_score": 1, "problem_id": "${problem}", "rescored_by": ${other.user_id}, "attempts": "1"}`},
}

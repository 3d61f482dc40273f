package sample

import (
	"bufio"
	"io"
	"slices"
	"strconv"

	"anonymooc/internal/sample/canary"
)

// post is what ties a forum document to the others of its thread.
type post struct {
	id, thread, parent string // ObjectIds; parent is empty for threads and direct answers
	voters             []*Person
	author             *Person
}

// forumDocuments are the shapes of a forum's documents. Older exports are
// written with spaces and dates as numbers, newer ones without spaces and with
// dates in ISO 8601 or as $numberLong; some lack author_username.
type forumDocuments struct {
	threads, comments []string
}

var olderForum = forumDocuments{
	threads: []string{
		`{ "_id" : { "$oid" : "${post}" }, "_type" : "CommentThread", "abuse_flaggers" : [], "anonymous" : false, "anonymous_to_peers" : false, "at_position_list" : [], "author_id" : "${user_id}", "author_username" : "${username}", "body" : "${message}", "closed" : false, "comment_count" : ${n:9}, "commentable_id" : "${commentable}", "course_id" : "${course_id}", "created_at" : { "$date" : ${ms} }, "historical_abuse_flaggers" : [], "last_activity_at" : { "$date" : ${ms} }, "pinned" : false, "tags_array" : [], "thread_type" : "discussion", "title" : "${title}", "updated_at" : { "$date" : ${ms} }, "visible" : true, "votes" : { "up" : [${voters}], "down" : [], "up_count" : ${voted}, "down_count" : 0, "count" : ${voted}, "point" : ${voted} } }`,
		`{ "_id" : { "$oid" : "${post}" }, "_type" : "CommentThread", "abuse_flaggers" : [ "${other.user_id}" ], "anonymous" : true, "anonymous_to_peers" : false, "at_position_list" : [], "author_id" : "${user_id}", "body" : "${message}", "closed" : true, "closed_by_id" : "${third.user_id}", "comment_count" : 0, "commentable_id" : "i4x-${org}-${number}-course-Forum", "course_id" : "${course_id}", "created_at" : { "$date" : ${ms} }, "historical_abuse_flaggers" : [ "${third.user_id}" ], "last_activity_at" : { "$date" : ${ms} }, "tags_array" : [], "thread_type" : "question", "title" : "${title}", "updated_at" : { "$date" : ${ms} }, "votes" : { "up" : [${voters}], "down" : [ "${other.user_id}" ], "up_count" : ${voted}, "down_count" : 1, "count" : ${voted}, "point" : ${voted} } }`,
	},
	comments: []string{
		`{ "_id" : { "$oid" : "${post}" }, "_type" : "Comment", "abuse_flaggers" : [], "anonymous" : false, "anonymous_to_peers" : false, "at_position_list" : [], "author_id" : "${user_id}", "author_username" : "${username}", "body" : "${message}", "comment_thread_id" : { "$oid" : "${thread}" }, "course_id" : "${course_id}", "created_at" : { "$date" : ${ms} }, "endorsed" : false, "historical_abuse_flaggers" : [], ${parent_field}"parent_ids" : [${parents}], "sk" : "${sk}", "updated_at" : { "$date" : ${ms} }, "visible" : true, "votes" : { "up" : [${voters}], "down" : [], "up_count" : ${voted}, "down_count" : 0, "count" : ${voted}, "point" : ${voted} } }`,
		`{ "_id" : { "$oid" : "${post}" }, "_type" : "Comment", "abuse_flaggers" : [ "${third.user_id}" ], "anonymous" : false, "anonymous_to_peers" : true, "at_position_list" : [], "author_id" : "${user_id}", "author_username" : "${username}", "body" : "${message}", "comment_thread_id" : { "$oid" : "${thread}" }, "course_id" : "${course_id}", "created_at" : { "$date" : ${ms} }, "endorsed" : true, "endorsement" : { "user_id" : "${other.user_id}", "time" : { "$date" : ${ms} } }, "historical_abuse_flaggers" : [], ${parent_field}"parent_ids" : [${parents}], "sk" : "${sk}", "updated_at" : { "$date" : ${ms} }, "visible" : true, "votes" : { "up" : [${voters}], "down" : [], "up_count" : ${voted}, "down_count" : 0, "count" : ${voted}, "point" : ${voted} } }`,
	},
}

var newerForum = forumDocuments{
	threads: []string{
		`{"_id":{"$oid":"${post}"},"_type":"CommentThread","context":"course","thread_type":"question","title":"${title}","body":"${message}","author_id":"${user_id}","author_username":"${username}","anonymous":false,"anonymous_to_peers":false,"course_id":"${course_id}","commentable_id":"${commentable}","group_id":null,"closed":false,"close_reason_code":null,"closed_by_id":null,"abuse_flaggers":[],"historical_abuse_flaggers":[],"comment_count":${n:9},"at_position_list":[],"tags_array":[],"votes":{"up":[${voters}],"down":[],"up_count":${voted},"down_count":0,"count":${voted},"point":${voted}},"created_at":{"$date":"${zulu}"},"updated_at":{"$date":"${zulu}"},"last_activity_at":{"$date":"${zulu}"}}`,
		`{"_id":{"$oid":"${post}"},"_type":"CommentThread","context":"standalone","thread_type":"discussion","title":"${title}","body":"${message}","author_id":"${user_id}","author_username":"${username}","retired_username":null,"anonymous":true,"anonymous_to_peers":false,"course_id":"${course_id}","commentable_id":"${topic}","closed":true,"closed_by_id":"${third.user_id}","edit_history":[{"_id":{"$oid":"${hex:24}"},"original_body":"${message}","reason_code":"violates-guidelines","editor_username":"${third.username}","author_id":"${third.user_id}","created_at":{"$date":"${zulu}"}}],"abuse_flaggers":["${other.user_id}","${third.user_id}"],"historical_abuse_flaggers":[],"comment_count":0,"at_position_list":[{"position":0,"user_id":"${other.user_id}"}],"tags_array":[],"votes":{"up":[${voters}],"down":[],"up_count":${voted},"down_count":0,"count":${voted},"point":${voted}},"created_at":{"$date":{"$numberLong":"${ms}"}},"updated_at":{"$date":{"$numberLong":"${ms}"}},"last_activity_at":{"$date":{"$numberLong":"${ms}"}}}`,
	},
	comments: []string{
		`{"_id":{"$oid":"${post}"},"_type":"Comment","body":"${message}","author_id":"${user_id}","author_username":"${username}","anonymous":false,"anonymous_to_peers":false,"course_id":"${course_id}","comment_thread_id":{"$oid":"${thread}"},${parent_field}"parent_ids":[${parents}],"sk":"${sk}","depth":0,"child_count":0,"endorsed":true,"endorsement":{"user_id":"${other.user_id}","time":{"$date":"${zulu}"}},"abuse_flaggers":[],"historical_abuse_flaggers":["${third.user_id}"],"at_position_list":[],"visible":true,"votes":{"up":[${voters}],"down":[],"up_count":${voted},"down_count":0,"count":${voted},"point":${voted}},"created_at":{"$date":"${zulu}"},"updated_at":{"$date":"${zulu}"}}`,
		`{"_id":{"$oid":"${post}"},"_type":"Comment","body":"${message}","author_id":"${user_id}","anonymous":true,"anonymous_to_peers":false,"course_id":"${course_id}","comment_thread_id":{"$oid":"${thread}"},${parent_field}"parent_ids":[${parents}],"sk":"${sk}","endorsed":false,"edit_history":[{"original_body":"${message}","editor_username":"${username}","author_id":"${user_id}","created_at":{"$date":"${zulu}"}}],"abuse_flaggers":[],"historical_abuse_flaggers":[],"at_position_list":[],"visible":true,"votes":{"up":[${voters}],"down":[],"up_count":${voted},"down_count":0,"count":${voted},"point":${voted}},"created_at":{"$date":"${zulu}"},"updated_at":{"$date":"${zulu}"}}`,
		`{"_id":{"$oid":"${post}"},"_type":"Comment","body":"${message}","author_id":"${user_id}","author_username":"${username}","anonymous":false,"anonymous_to_peers":false,"course_id":"${course_id}","comment_thread_id":{"$oid":"${thread}"},${parent_field}"parent_ids":[${parents}],"sk":"${sk}","endorsed":false,"abuse_flaggers":[],"historical_abuse_flaggers":[],"at_position_list":[],"visible":true,"votes":{"up":[${voters}],"down":[],"up_count":${voted},"down_count":0,"count":${voted},"point":${voted}},"created_at":{"$date":"${zulu}"},"updated_at":{"$date":"${zulu}"}}`,
	},
}

// forum holds the compiled documents of one age.
type forum struct {
	threads, comments []*template
}

func compileForum(d forumDocuments) (f forum, err error) {
	if f.threads, err = compileAll(d.threads); err != nil {
		return f, err
	}
	f.comments, err = compileAll(d.comments)
	return f, err
}

// writeForum writes the course's share of posts as mongoexport does: one JSON
// document a line, threads and comments mixed. A thread is written before its
// comments; who answers names the people they answer.
func (s *scene) writeForum(w io.Writer, posts int) (int64, error) {
	out := bufio.NewWriterSize(w, 1<<18)
	f := &s.gen.forums[s.course.Index%2]
	step := int64(60*day) / int64(max(posts, 1))
	s.now = s.course.start
	var line []byte
	for written := 0; written < posts; {
		size := min(1+s.rng.IntN(7), posts-written)
		var thread, answer *post
		speaker := s.course.member(s.rng)
		for i := range size {
			s.now += moment(1 + s.rng.Int64N(2*step))
			s.actor = speaker
			s.other, s.third = nil, nil
			templates := f.comments
			switch {
			case i == 0:
				thread = s.newPost("", "")
				templates = f.threads
			case answer == nil || s.rng.IntN(2) == 0:
				s.other = callable(thread.author)
				answer = s.newPost(thread.id, "")
			default:
				s.other, s.third = callable(answer.author), callable(thread.author)
				s.newPost(thread.id, answer.id)
			}
			line = s.render(line[:0], templates[s.rng.IntN(len(templates))], jsonText)
			line = append(line, '\n')
			if _, err := out.Write(line); err != nil {
				return int64(written), err
			}
			speaker = s.course.member(s.rng)
		}
		written += size
	}
	return int64(posts), out.Flush()
}

// callable returns p, or nobody when p has no name to be called by.
func callable(p *Person) *Person {
	if p.Named() {
		return p
	}
	return nil
}

// newPost begins a post by the scene's actor. Its ObjectId starts with the
// second of its creation, as real ones do.
func (s *scene) newPost(thread, parent string) *post {
	id := appendHex(nil, uint64(s.now/second), 8)
	p := &post{id: string(appendHex(id, s.rng.Uint64(), 16)), thread: thread, parent: parent, author: s.actor}
	for range s.rng.IntN(4) {
		if voter := s.course.member(s.rng); !slices.ContainsFunc(p.voters, func(v *Person) bool { return v.ID == voter.ID }) {
			p.voters = append(p.voters, voter)
		}
	}
	s.post = p
	return p
}

func appendParents(s *scene, _ *Person, _ *part, dst []byte) []byte {
	if s.post.parent == "" {
		return dst
	}
	dst = append(dst, `{"$oid":"`...)
	dst = append(dst, s.post.parent...)
	return append(dst, `"}`...)
}

// appendVoters writes user ids as the forum does: as strings.
func appendVoters(s *scene, _ *Person, _ *part, dst []byte) []byte {
	for i, voter := range s.post.voters {
		if i > 0 {
			dst = append(dst, ',')
		}
		id := strconv.FormatInt(voter.ID, 10)
		dst = append(append(append(dst, '"'), id...), '"')
		if s.plant != nil {
			s.plant(canary.Canary{Kind: "user_id", Value: id, Person: voter.Index, File: s.file, Where: "votes.up[]", Whole: true, Common: commonValues[id]})
		}
	}
	return dst
}

// appendParentField writes the parent_id of a comment that answers a comment;
// others have none.
func appendParentField(s *scene, _ *Person, _ *part, dst []byte) []byte {
	if s.post.parent == "" {
		return dst
	}
	dst = append(dst, `"parent_id":{"$oid":"`...)
	dst = append(dst, s.post.parent...)
	return append(dst, `"},`...)
}

// appendSortKey writes sk: the ids of a comment's ancestors and its own.
func appendSortKey(s *scene, _ *part, dst []byte) []byte {
	if s.post.parent != "" {
		dst = append(append(dst, s.post.parent...), '-')
	}
	return append(dst, s.post.id...)
}

// Package release makes one release from one or more exports, whole or not at
// all.
//
//	exports ─ Discover ─► Sources bound to rules   every column named, or stop
//	        ─ link      ─► id map                   who is whom, before anything is transformed
//	        ─ transform ─► RELEASE.partial/         tables.Session, file by file
//	        ─ verify    ─► residuals, recount       release/verify trusts none of the above
//	        ─ publish   ─► RELEASE/                 id map committed, manifest, fsync, rename
//
// A run that was killed is resumed: files that were finished are kept in
// RELEASE.partial with a note of what they were made from. A run that fails or
// is interrupted by its user removes what it made.
package release

// Package drafts opens and keeps the drafts of forms in this browser's vault. What
// is written when is decided by package draft.
package drafts

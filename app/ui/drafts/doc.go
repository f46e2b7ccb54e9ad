// Package drafts opens and stores the drafts of forms in this browser's vault.
// Package draft decides what is written, and when.
package drafts

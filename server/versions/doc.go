// Package versions keeps the saved versions of forms. It reads their content, describes in words what changed, encodes them as edits of the
// version before, and removes old ones by a rule. It knows nothing of HTTP or tenants: its callers pass each form that was saved or read.
package versions

// Package versions keeps the saved versions of forms. It reads their content, describes in words what changed, encodes them as edits of the
// version before, and removes old ones by a rule of age, number and size. It knows nothing of HTTP or tenants: its callers pass each form
// that was saved or read.
//
// A version is edits of the text of the one before it, unless the chain is long or the edits are large: then it is a whole form. Edits of
// texts keep the order of members and stay small when a list grows.
//
// Blame is stored with each version: the elements that it changed since the version saved before it, and what was renamed. A version that
// is recorded late clears the marks of the one after it, which are found again when blame is asked for. A version that is removed leaves
// its marks, with author and time, to the next one.
//
// Versions are recorded from the tenant's answers, reads included, in the background and in bursts. Lists are ordered by the time of the
// save, since replicas may record in another order.
package versions

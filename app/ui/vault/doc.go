// Package vault keeps sealed parts of drafts in this browser's IndexedDB. What the
// parts hold is not its business.
//
// A part can be opened while the person who sealed it is signed in, and by no
// other user of the browser.
package vault

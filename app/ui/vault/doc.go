// Package vault stores encrypted parts of drafts in this browser's IndexedDB. It
// does not interpret their content.
//
// A part can be decrypted only while the person who encrypted it is signed in,
// and by no other user of the browser.
package vault

// Package together decides what a page does while several people have its form open. It decides when the page joins the form that they
// share, what it tells them and takes from them, and what it shows of them. It knows no network, screen or clock: package app/ui/together
// connects it to them.
//
// A page that is alone sends no edits, and saves stay explicit. With others, a save waits until they have what it saves. They find the
// saved form among the last shared ones, so it is not a conflict for them.
package together

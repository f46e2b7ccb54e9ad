package web

// NewSite lets tests serve a tree of their own.
var NewSite = newSite

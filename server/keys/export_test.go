package keys

// Private is private, for tests.
var Private = private

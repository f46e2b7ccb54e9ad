// Package config is the option table of `formgraph serve`: each option is a row with its flag, environment name, default,
// check and help. It reads flags, environment and secret files into a Config and reports every fault at once.
//
// It opens only the files that hold secrets, does not listen, and knows only those packages of the server that judge a value: the readers of
// a Config implement the options.
//
// The standard package flag reads the flags, and reading continues after an error, so that every error is reported. We tried kong 1.15.0 and
// ff 4.0.0-beta.1: both report only the first wrong option, kong wants the rows as struct tags, and ff reads no options after a file name.
package config

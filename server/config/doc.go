// Package config is the option table of `formgraph serve`: each option is a row with its flag, environment name, default,
// check and help. It reads flags, environment and secret files into a Config and reports every fault at once.
//
// It opens only the files that hold secrets, does not listen, and knows no other package of the server: the readers of a Config implement
// the options.
package config

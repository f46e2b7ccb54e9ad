// Package config is the option table of `formgraph serve`: each option is a row with its flag, environment name, default,
// check and help. It reads flags, environment and secret files into a Config and reports every fault at once.
//
// It opens only the files that hold secrets, listens nowhere and knows no other package of the server: readers of a Config
// decide what an option does.
package config

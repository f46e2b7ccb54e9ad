// Package config is the option table of `formgraph serve`: one row an option
// with its flag, environment name, default, check and help. It reads flags,
// environment and secret files into a Config and reports every fault at once.
//
// It opens nothing but the files that hold secrets, listens nowhere and knows
// no other package of the server: what an option does is its reader's business.
package config

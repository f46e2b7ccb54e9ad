package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// securityCases is how many rows the page has.
const securityCases = 102

// securityTest matches a test on the page: its folder, its function and the text of a subtest, if it is one.
var securityTest = regexp.MustCompile("`([a-z0-9/]+)\\.((?:Test|Fuzz)[A-Za-z0-9_]+)(?:/([^`]+))?`")

// securityFaults returns what is wrong with a page: numbers that are missing or repeated, tests that do not exist, and rows with neither a
// test nor a reason. source returns the file in a folder that declares
// a test, or "".
func securityFaults(page string, source func(folder, test string) string) (faults []string) {
	seen := map[int]int{}
	for line := range strings.Lines(page) {
		cells := strings.Split(strings.TrimSpace(line), "|")
		if len(cells) < 2 {
			continue
		}
		number, err := strconv.Atoi(strings.TrimSpace(cells[1]))
		if err != nil {
			continue // the head of a table
		}
		name := "row " + strconv.Itoa(number)
		seen[number]++
		if len(cells) != 7 || strings.TrimSpace(cells[2]) == "" || strings.TrimSpace(cells[3]) == "" {
			faults = append(faults, name+" does not have five columns, of which the first three are filled")
			continue
		}
		tests := securityTest.FindAllStringSubmatch(cells[4], -1)
		if len(tests) == 0 && strings.TrimSpace(cells[5]) == "" {
			faults = append(faults, name+" has neither a test nor a reason")
		}
		if rest := strings.Trim(securityTest.ReplaceAllString(cells[4], ""), ", "); rest != "" {
			faults = append(faults, name+" has something else in the place of tests: "+rest)
		}
		for _, m := range tests {
			text := source(m[1], m[2])
			if text == "" {
				faults = append(faults, name+" names "+m[0]+", which does not exist")
			} else if m[3] != "" && !strings.Contains(text, strconv.Quote(m[3])) {
				faults = append(faults, name+" names "+m[0]+", which has no such case")
			}
		}
	}
	for n := range securityCases {
		if seen[n+1] != 1 {
			faults = append(faults, "row "+strconv.Itoa(n+1)+" is there "+strconv.Itoa(seen[n+1])+" times")
		}
		delete(seen, n+1)
	}
	for n := range seen {
		faults = append(faults, "row "+strconv.Itoa(n)+" is one too many")
	}
	return faults
}

// testSource finds the files of the repository that declare tests.
func testSource(t *testing.T) func(folder, test string) string {
	t.Helper()
	return func(folder, test string) string {
		files, err := filepath.Glob(filepath.Join("..", folder, "*_test.go"))
		must(t, err)
		for _, file := range files {
			b, err := os.ReadFile(file)
			must(t, err)
			if strings.Contains(string(b), "\nfunc "+test+"(") {
				return string(b)
			}
		}
		return ""
	}
}

// The page of attacks and faults lists each number once, and only tests that exist.
func TestSecurityPage(t *testing.T) {
	page, err := os.ReadFile("SECURITY-TESTS.md")
	must(t, err)
	source := testSource(t)
	for _, fault := range securityFaults(string(page), source) {
		t.Error(fault)
	}
	// Each fault is found.
	row := "| 1 | a | b | `server/bff.TestLoginRefused/1: no transaction` | |\n"
	for broken, want := range map[string]string{
		row + row: "row 1 is there 2 times",
		"| 1 | a | b | `server/bff.TestNothing` | |\n":                    "does not exist",
		"| 1 | a | b | `server/bff.TestLoginRefused/no such thing` | |\n": "no such case",
		"| 1 | a | b | | |\n":                   "neither a test nor a reason",
		"| 1 | a | b | bff.TestNothing | x |\n": "something else",
		"| 1 | a | | x | |\n":                   "five columns",
		"| 103 | a | b | | x |\n":               "row 103 is one too many",
		row:                                     "row 2 is there 0 times",
	} {
		if got := strings.Join(securityFaults(broken, source), "\n"); !strings.Contains(got, want) {
			t.Errorf("%q has the faults\n%s\nwant one with %q", broken, got, want)
		}
	}
	if got := securityFaults(row, source); len(got) != securityCases-1 {
		t.Errorf("a good row has faults: %v", got[:1])
	}
}

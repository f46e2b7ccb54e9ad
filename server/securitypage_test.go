package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// securityCases is the number of rows on the page.
const securityCases = 102

// securityTest matches a test on the page: its folder, its function and the text of a subtest, if it is one.
var securityTest = regexp.MustCompile("`([a-z0-9/]+)\\.((?:Test|Fuzz)[A-Za-z0-9_]+)(?:/([^`]+))?`")

// securityFaults returns the faults of a page: numbers that are missing or repeated, tests that do not exist, and rows with neither a test
// nor a reason. source returns the content of the file in a folder that declares a test, or "".
func securityFaults(page string, source func(folder, test string) string) (faults []string) {
	seen := map[int]int{}
	for line := range strings.Lines(page) {
		cells := strings.Split(strings.TrimSpace(line), "|")
		if len(cells) < 2 {
			continue
		}
		number, err := strconv.Atoi(strings.TrimSpace(cells[1]))
		if err != nil {
			continue // the header of a table
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
			faults = append(faults, name+" has something other than tests in the tests column: "+rest)
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
			faults = append(faults, "row "+strconv.Itoa(n+1)+" appears "+strconv.Itoa(seen[n+1])+" times")
		}
		delete(seen, n+1)
	}
	for n := range seen {
		faults = append(faults, "row "+strconv.Itoa(n)+" is not expected")
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

// SECURITY-TESTS.md lists each number exactly once, and only tests that exist.
func TestSecurityPage(t *testing.T) {
	page, err := os.ReadFile("SECURITY-TESTS.md")
	must(t, err)
	source := testSource(t)
	for _, fault := range securityFaults(string(page), source) {
		t.Error(fault)
	}
	// Each kind of fault is detected.
	row := "| 1 | a | b | `server/bff.TestLoginRefused/1: no transaction` | |\n"
	for broken, want := range map[string]string{
		row + row: "row 1 appears 2 times",
		"| 1 | a | b | `server/bff.TestNothing` | |\n":                    "does not exist",
		"| 1 | a | b | `server/bff.TestLoginRefused/no such thing` | |\n": "no such case",
		"| 1 | a | b | | |\n":                   "neither a test nor a reason",
		"| 1 | a | b | bff.TestNothing | x |\n": "something other",
		"| 1 | a | | x | |\n":                   "five columns",
		"| 103 | a | b | | x |\n":               "row 103 is not expected",
		row:                                     "row 2 appears 0 times",
	} {
		if got := strings.Join(securityFaults(broken, source), "\n"); !strings.Contains(got, want) {
			t.Errorf("%q has the faults\n%s\nwant one with %q", broken, got, want)
		}
	}
	if got := securityFaults(row, source); len(got) != securityCases-1 {
		t.Errorf("a good row has faults: %v", got[:1])
	}
}

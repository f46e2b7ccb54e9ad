// Package atlas writes every step of a form, in every language, into one HTML file. People without an account can read and print it, and
// see what respondents see. Each step is shown as it is first asked, after its next button was pressed with nothing answered, and with
// wrong answers where those are refused with other messages.
//
// # Safety
//
// People open the file from their disk or from any web server, so nothing but the file can protect them from what a form contains:
//
//   - The file contains no script, and its first element is a policy that forbids scripts, requests, forms and frames.
//   - The HTML of the author is parsed, reduced to the elements and attributes of a list, and written again; see clean. That removes what
//     a policy does not stop: links, meta elements, base elements, and nested documents.
//   - The CSS of the author is parsed and written again without addresses and imports; see sheet.
//   - Both are in the shadow root of their step, in a box that contains layout and paint. So they change the screens of the step, and
//     neither the rest of the page nor another step.
//
// A sandboxed frame for each screen would need a script that measures its height: a frame does not grow with its content, and a printed
// frame that is too short loses the rest. A shadow root takes part in the layout of the page, is found by its search, and breaks across
// printed pages. It has no root element, body or viewport of its own. Elements stand for the first two, and a container for the last one;
// the selectors, media queries and units of style sheets are translated to them.
package atlas

// Package desk draws the screens that take the place of the canvas: languages, messages and style. It runs in a worker of the browser, which
// loads it when somebody first opens such a screen. The worker makes the markup and handles what the person does; a script of the page shows
// the one and reports the other, and the editor's program runs the commands. Package message has the messages.
//
// The form of the editor's program is the only truth: the worker has a copy that follows it, and sends changes instead of making them.
//
// A page of the desk is Go without a screen: a form and events in, markup by regions and commands out. Text reaches markup only through
// package markup. A change is computed in the worker, sent as edits and run by the editor's program; the worker handles no event before the
// answer. A page that needs the server asks the editor's program for a call and gets what the server keeps after it.
//
// The script, web/static/desk.js, knows nothing of what it shows. It replaces the regions (data-region), finds elements again by data-key,
// and reports what people do by these attributes:
//
//	data-do        on what is pressed; data-arg says which
//	data-in        on what is typed or chosen in; data-value is the value that it shall have
//	data-focus     on what reports its focus, such as a cell of a table
//	data-keys      on a region: the keys that the page handles
//	data-scroll    on what reports its visible part; data-settle is in how many parts it is drawn in full once it rests
//	data-bare      on a cell without a control, which a press selects
package desk

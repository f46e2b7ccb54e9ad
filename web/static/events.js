// Holds one stream of events for all windows of a browser: with HTTP/1.1, a browser has six connections to a server. Each window is a port. It
// sends the query of its stream with the kinds of events that it hears, "here" after each "beat", and "close". It gets the kind, the id and the
// data of each event, and at the end nothing, as formgraphEvents in boot.js says.
(() => {
  "use strict";
  // changed is when the server has been told of the part, and asked means that the window has not answered the last beat.
  /** @typedef {{ port: MessagePort, query: string, changed: Promise<void>, asked: boolean }} Part */
  /** @type {Map<string, Part>} */
  const parts = new Map(); // by their number
  /** @type {Set<string>} */
  const kinds = new Set();
  /** @type {EventSource | null} */
  let source = null;
  let name = ""; // of the stream
  let owner = ""; // whose it is; "" until it is open
  let last = 0; // the number of the latest part
  let silence = 0; // the timer that ends a stream that tells nothing, as in boot.js, but before the windows do

  // lose ends a part that the server has ended, or never begun.
  const lose = (/** @type {string} */ number, kind = "", id = "", data = "") => {
    const part = parts.get(number);
    parts.delete(number);
    part?.port.postMessage([kind, id, data]);
    if (parts.size === 0) close();
  };
  const close = () => {
    clearTimeout(silence);
    source?.close();
    source = null;
    name = owner = "";
  };
  const fail = (why = "") => {
    close();
    for (const number of [...parts.keys()]) lose(number, "", "", why);
  };
  const told = () => {
    clearTimeout(silence);
    silence = setTimeout(() => fail(owner ? "" : "silent"), 40_000);
  };
  // change tells the server that the stream has a part, or with no query that it has it no longer.
  const change = async (/** @type {string} */ number, /** @type {string} */ query) => {
    const stream = name;
    let whose = "";
    try {
      const body = JSON.stringify({ stream, part: number, query });
      const headers = { "Content-Type": "application/json", "X-CSRF": "1" };
      const response = await fetch("/bff/api/streams", { method: "POST", headers, body, signal: AbortSignal.timeout(30_000) });
      if (response.ok) whose = (await response.json()).owner;
    } catch {
      // the same as a refusal
    }
    if (stream !== name || whose === owner) return;
    if (whose || !query) fail(); // the session is another one, or the server would take a window that is gone for one that is there
    else lose(number);
  };
  const begin = (/** @type {string} */ number, /** @type {Part} */ part) => (part.changed = change(number, part.query));
  const end = (/** @type {string} */ number) => {
    const part = parts.get(number);
    if (!part) return;
    parts.delete(number);
    if (parts.size === 0) return close();
    const stream = name;
    if (owner) part.changed.then(() => (stream === name ? change(number, "") : undefined));
  };

  const hear = (/** @type {string} */ kind) => {
    source?.addEventListener(kind, (e) => {
      told();
      const [number, id] = e.lastEventId.split(":");
      if (kind === "end") lose(number, kind, id, e.data);
      else parts.get(number)?.port.postMessage([kind, id, e.data]);
    });
  };
  const beat = () => {
    told();
    for (const [number, part] of [...parts]) {
      if (part.asked) {
        end(number); // it has been closed without a word; otherwise it opens another stream
        part.port.postMessage(["", "", ""]);
      } else {
        part.asked = true;
        part.port.postMessage(["beat", "", ""]);
      }
    }
  };
  const open = () => {
    name = crypto.getRandomValues(new Uint8Array(16)).reduce((text, b) => text + b.toString(16).padStart(2, "0"), "");
    source = new EventSource("/bff/events?joint=" + name);
    source.addEventListener("error", () => fail());
    source.addEventListener("beat", beat);
    source.addEventListener("closed", (e) => lose(e.lastEventId.split(":")[0]));
    source.addEventListener("joined", (e) => {
      told();
      owner = JSON.parse(e.data).owner;
      for (const [number, part] of parts) begin(number, part);
    });
    for (const kind of kinds) hear(kind);
    told();
  };

  self.addEventListener("connect", (e) => {
    const port = /** @type {MessageEvent} */ (e).ports[0];
    let number = "";
    port.addEventListener("close", () => end(number)); // not in every browser
    port.addEventListener("message", ({ data }) => {
      const part = parts.get(number);
      if (data === "close") end(number);
      else if (data === "here" && part) part.asked = false;
      else if (Array.isArray(data)) {
        number = String(++last);
        const part = { port, query: data[0], changed: Promise.resolve(), asked: false };
        parts.set(number, part);
        for (const kind of data[1].split(" ")) {
          if (kinds.has(kind)) continue;
          kinds.add(kind);
          hear(kind);
        }
        if (!source) open();
        else if (owner) begin(number, part);
      }
    });
    port.start();
  });
})();

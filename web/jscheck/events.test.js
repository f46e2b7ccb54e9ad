// Tests of events.js, with stand-ins for the windows, the server and the time.
"use strict";
const assert = require("node:assert/strict");
const { test } = require("node:test");
const vm = require("node:vm");
const { sourceOf } = require("./page.js");

class Source extends EventTarget {
  closed = false;
  constructor(address) {
    super();
    this.address = address;
  }
  tell(kind, id = "", data = {}) {
    this.dispatchEvent(Object.assign(new Event(kind), { lastEventId: id, data: JSON.stringify(data) }));
  }
  close() {
    this.closed = true;
  }
}

// start runs the script. posted are the changes that it has posted; answer decides what the server answers.
const start = () => {
  const w = { sources: [], posted: [], timers: new Map(), answer: () => ({ owner: "me" }) };
  const scope = vm.createContext({
    Map, Set, Array, String, Promise, JSON, Uint8Array, AbortSignal, crypto,
    setTimeout: (f, ms) => (w.timers.set(++w.last, { f, ms }), w.last),
    clearTimeout: (n) => w.timers.delete(n),
    EventSource: class extends Source {
      constructor(address) {
        super(address);
        w.sources.push(this);
      }
    },
    fetch: async (address, { method, headers, body }) => {
      assert.deepEqual([address, method, headers["X-CSRF"]], ["/bff/api/streams", "POST", "1"]);
      const change = JSON.parse(body);
      assert.equal(w.source.address, "/bff/events?joint=" + change.stream);
      w.posted.push(change.part + " " + change.query);
      const answer = await w.answer(change);
      return { ok: !!answer, json: async () => answer };
    },
    addEventListener: (kind, f) => (w[kind] = f),
  });
  w.last = 0;
  scope.self = scope;
  new vm.Script(sourceOf("events.js"), { filename: "events.js" }).runInContext(scope);
  Object.defineProperty(w, "source", { get: () => w.sources.at(-1) });
  w.turn = () => new Promise((done) => setImmediate(done));
  w.changes = async () => (await w.turn(), w.posted.splice(0));
  // opens opens a window's stream. got is what it hears.
  w.opens = (query) => {
    const port = Object.assign(new EventTarget(), { got: [], start() {} });
    port.postMessage = (what) => {
      port.got.push([...what]);
      if (what[0] === "beat" && !port.dead) port.say("here");
    };
    port.say = (data) => port.dispatchEvent(Object.assign(new Event("message"), { data }));
    port.heard = () => port.got.splice(0);
    w.connect({ ports: [port] });
    port.say([query, "hello saved end"]);
    return port;
  };
  w.joined = async () => {
    w.source.tell("joined", "", { owner: "me" });
    return w.changes();
  };
  return w;
};
const lost = [["", "", ""]];

test("events.js: all windows have one stream, and each hears its events", async () => {
  const w = start();
  const windows = Array.from({ length: 8 }, (_, i) => w.opens("form=" + i));
  assert.deepEqual(await w.changes(), [], "nothing is changed before the stream is there");
  assert.deepEqual(await w.joined(), windows.map((_, i) => `${i + 1} form=${i}`));
  w.source.tell("hello", "2:7", { etag: "x" });
  w.source.tell("saved", "8:9");
  assert.deepEqual(windows.map((p) => p.heard()), [[], [["hello", "7", '{"etag":"x"}']], [], [], [], [], [], [["saved", "9", "{}"]]]);
  const late = w.opens("form=late");
  assert.deepEqual(await w.changes(), ["9 form=late"]);
  w.source.tell("hello", "9:1");
  assert.deepEqual(late.heard(), [["hello", "1", "{}"]]);
  w.source.tell("saved", "77:1"); // a part that is gone
  assert.equal(w.sources.length, 1);
});

test("events.js: a window that closes ends its part, and the last one the stream", async () => {
  const w = start();
  const [a, b, c] = [w.opens("form=a"), w.opens("form=b"), w.opens("form=c")];
  c.say("close");
  assert.deepEqual(await w.joined(), ["1 form=a", "2 form=b"], "a window that has gone before is not there");
  a.say("close");
  assert.deepEqual(await w.changes(), ["1 "]);
  w.source.tell("saved", "1:9");
  assert.deepEqual([a.heard(), w.source.closed], [[], false]);
  b.say("close");
  assert.deepEqual([await w.changes(), w.source.closed, w.timers.size], [[], true, 0], "the end of the stream says it");
  w.opens("form=d");
  assert.equal(w.sources.length, 2);
  assert.deepEqual(await w.joined(), ["4 form=d"]);
});

test("events.js: a part is removed after it was added", async () => {
  const w = start();
  const a = w.opens("form=a");
  w.opens("form=b");
  let added;
  w.answer = ({ query }) => (query === "form=a" ? new Promise((done) => (added = () => done({ owner: "me" }))) : { owner: "me" });
  await w.joined();
  a.say("close");
  assert.deepEqual(await w.changes(), []);
  added();
  assert.deepEqual(await w.changes(), ["1 "]);
});

test("events.js: the server ends a part, or the stream", async () => {
  const w = start();
  const [a, b, c] = [w.opens("form=a"), w.opens("form=b"), w.opens("form=c")];
  await w.joined();
  w.source.tell("end", "1:7", { reason: "rights" });
  w.source.tell("closed", "1:0");
  w.source.tell("closed", "2:0");
  assert.deepEqual([a.heard(), b.heard(), c.heard()], [[["end", "7", '{"reason":"rights"}']], lost, []]);
  a.say("close");
  assert.deepEqual(await w.changes(), [], "the server knows");
  w.source.dispatchEvent(new Event("error"));
  assert.deepEqual([b.heard(), c.heard(), w.source.closed], [[], lost, true]);
  w.opens("form=c");
  assert.equal(w.sources.length, 2);
  assert.notEqual(w.sources[0].address, w.sources[1].address);
});

test("events.js: a change that fails", async () => {
  const w = start();
  const [a, b] = [w.opens("form=a"), w.opens("form=b")];
  w.answer = ({ part }) => (part === "1" ? null : { owner: "me" });
  await w.joined();
  assert.deepEqual([a.heard(), b.heard()], [lost, []], "a window that is refused");
  const c = w.opens("form=c");
  await w.changes();
  w.answer = () => { throw new Error("offline"); };
  c.say("close");
  await w.changes();
  assert.deepEqual([b.heard(), w.source.closed], [lost, true], "nobody may seem to be there");
});

test("events.js: another session begins another stream", async () => {
  const w = start();
  const a = w.opens("form=a");
  await w.joined();
  w.answer = () => ({ owner: "another" });
  const b = w.opens("form=b");
  await w.changes();
  assert.deepEqual([a.heard(), b.heard(), w.source.closed], [lost, lost, true]);
});

test("events.js: a window that does not answer is gone", async () => {
  const w = start();
  const [a, b] = [w.opens("form=a"), w.opens("form=b")];
  await w.joined();
  b.dead = true;
  w.source.tell("beat");
  assert.deepEqual([a.heard(), b.heard(), await w.changes()], [[["beat", "", ""]], [["beat", "", ""]], []]);
  w.source.tell("beat");
  assert.deepEqual([a.heard(), b.heard(), await w.changes()], [[["beat", "", ""]], lost, ["2 "]]);
  w.source.tell("beat");
  assert.deepEqual([a.heard(), b.heard()], [[["beat", "", ""]], []]);
  a.dispatchEvent(new Event("close")); // as some browsers tell
  assert.equal(w.source.closed, true);
});

test("events.js: a stream that is silent", async () => {
  const w = start();
  const silent = () => {
    const [[, { f, ms }], ...more] = [...w.timers];
    assert.deepEqual([ms, more.length], [40_000, 0]);
    f();
    assert.deepEqual([w.source.closed, w.timers.size], [true, 0]);
  };
  const a = w.opens("form=a");
  silent();
  assert.deepEqual(a.heard(), [["", "", "silent"]], "a proxy keeps it back");
  const b = w.opens("form=b");
  await w.joined();
  for (const [kind, id] of [["beat"], ["hello", "2:1"]]) {
    const before = [...w.timers.keys()];
    w.source.tell(kind, id);
    assert.notDeepEqual([...w.timers.keys()], before, kind + " begins the wait anew");
  }
  b.heard();
  silent();
  assert.deepEqual(b.heard(), lost, "it was there once: the proxy does not keep it back");
});

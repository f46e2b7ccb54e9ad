// Loads and runs a program beside the page: the one that runs the form under edit, or the one that draws the desk. The fragment of the address names the toolchain's glue and the program.
"use strict";
const [glue, program] = decodeURI(location.hash.slice(1)).split(" ");
/** @param {string} address */
const ours = (address) => {
  if (!address.startsWith("/web/")) throw new Error("not a file of this server: " + address);
  return address;
};
// Commands that arrive before the program runs wait.
/** @type {MessageEvent[]} */
const early = [];
onmessage = (e) => early.push(e);
const scripts = self.trustedTypes ? trustedTypes.createPolicy("formgraph-worker", { createScriptURL: ours }) : { createScriptURL: ours };
importScripts(scripts.createScriptURL(glue));
const go = new Go();
(async () => {
  try {
    const response = await fetch(ours(program), { credentials: "same-origin" });
    if (!response.ok) throw new Error("the server answered " + response.status);
    const { instance } = await WebAssembly.instantiateStreaming(response, go.importObject);
    go.run(instance);
    for (const e of early.splice(0)) self.onmessage?.(e); // a copy: a program that has ended leaves them to the function above
  } catch (err) {
    postMessage(JSON.stringify({ fault: "The program could not be loaded: " + (err instanceof Error ? err.message : err) }));
  }
})();

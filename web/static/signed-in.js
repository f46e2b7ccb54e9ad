// The last page of a sign-in that ran in a window of its own: the editor's other
// windows hear of it and go on with the work they kept.
(() => {
  "use strict";
  const channel = new BroadcastChannel("formgraph");
  channel.postMessage("signed-in");
  channel.close();
  close();
})();

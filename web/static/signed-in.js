// The last page of a sign-in in a separate window: it notifies the editor's
// other windows, which continue with their work.
(() => {
  "use strict";
  const channel = new BroadcastChannel("formgraph");
  channel.postMessage("signed-in");
  channel.close();
  close();
})();

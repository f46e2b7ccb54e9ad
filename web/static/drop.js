// Takes files that are dropped anywhere on the page: they go to the chooser of the button Import, which the page's program reads.
(() => {
  "use strict";
  const chooser = () => document.getElementById("import-file");
  const files = (e) => e.dataTransfer && [...e.dataTransfer.types].includes("Files") && chooser() && !document.querySelector("dialog[open]");
  let layer = null;
  const show = (on) => {
    if (on === !!layer) return;
    if (!on) {
      layer.remove();
      layer = null;
      return;
    }
    layer = document.createElement("div");
    layer.className = "drop-layer";
    layer.setAttribute("role", "status");
    const words = document.createElement("p");
    words.textContent = "Drop a .json file here to import its form";
    layer.append(words);
    document.body.append(layer);
  };
  addEventListener("dragover", (e) => {
    if (!files(e)) return;
    e.preventDefault(); // or the browser would open the file
    e.dataTransfer.dropEffect = "copy";
    show(true);
  });
  // The pointer leaves for nothing only at the edge of the window.
  addEventListener("dragleave", (e) => e.relatedTarget === null && show(false));
  addEventListener("dragend", () => show(false));
  addEventListener("drop", (e) => {
    show(false);
    if (!files(e)) return;
    e.preventDefault();
    chooser().files = e.dataTransfer.files;
    chooser().dataset.dropped = "true";
    chooser().dispatchEvent(new Event("change", { bubbles: true }));
  });
})();

// Takes files that are dropped anywhere on the page: they go to the chooser of the button Import, which the page's program reads.
(() => {
  "use strict";
  // The chooser and the files, if the page can take what is dragged now.
  /** @param {DragEvent} e */
  const taken = ({ dataTransfer: files }) => {
    const chooser = /** @type {HTMLInputElement | null} */ (document.getElementById("import-file"));
    return chooser && files?.types.includes("Files") && !document.querySelector("dialog[open]") ? { chooser, files } : null;
  };
  /** @type {HTMLElement | null} */
  let layer = null;
  /** @param {boolean} on */
  const show = (on) => {
    if (on === !!layer) return;
    layer?.remove();
    layer = null;
    if (!on) return;
    layer = document.createElement("div");
    layer.className = "drop-layer";
    layer.setAttribute("role", "status");
    const words = document.createElement("p");
    words.textContent = "Drop a .json file here to import its form";
    layer.append(words);
    document.body.append(layer);
  };
  addEventListener("dragover", (e) => {
    const to = taken(e);
    if (!to) return;
    e.preventDefault(); // or the browser would open the file
    to.files.dropEffect = "copy";
    show(true);
  });
  // The pointer leaves for nothing only at the edge of the window.
  addEventListener("dragleave", (e) => e.relatedTarget === null && show(false));
  addEventListener("dragend", () => show(false));
  addEventListener("drop", (e) => {
    show(false);
    const to = taken(e);
    if (!to) return;
    e.preventDefault();
    to.chooser.files = to.files.files;
    to.chooser.dataset.dropped = "true";
    to.chooser.dispatchEvent(new Event("change", { bubbles: true }));
  });
})();

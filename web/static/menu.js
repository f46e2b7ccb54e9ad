// Makes one contextmenu event of all the ways to ask for the menu of an element with data-menu: the right button, a long press and a key. The
// page's program opens the menu; the browser shows none of its own.
(() => {
  "use strict";
  const patience = 700; // milliseconds, longer than browsers wait that send the event for a long press
  const slack = 10; // pixels by which a resting finger may move
  const ask = (target, at) => target.dispatchEvent(new PointerEvent("contextmenu", { ...at, bubbles: true, cancelable: true }));

  // Some browsers report the key when it is released, and the focus is in the program's menu by then.
  addEventListener("contextmenu", (e) => e.target.closest?.("[data-menu], .popup") && e.preventDefault());

  addEventListener("keydown", (e) => {
    if (e.defaultPrevented || (e.key !== "ContextMenu" && !(e.key === "F10" && e.shiftKey)) || !e.target.closest?.("[data-menu]")) return;
    e.preventDefault();
    const box = e.target.getBoundingClientRect();
    ask(e.target, { clientX: box.left, clientY: box.bottom });
  });

  let timer = 0, at = null, asked = false;
  let outside = false; // the finger began outside of a menu
  const end = () => clearTimeout(timer);
  addEventListener("pointerdown", (e) => {
    end();
    asked = false;
    outside = e.pointerType === "touch" && !e.target.closest(".popup");
    if (e.pointerType !== "touch" || !e.isPrimary || !e.target.closest("[data-menu]")) return;
    at = { clientX: e.clientX, clientY: e.clientY };
    timer = setTimeout(() => {
      asked = true;
      ask(e.target, at);
    }, patience);
  }, true);
  addEventListener("pointermove", (e) => at && Math.hypot(e.clientX - at.clientX, e.clientY - at.clientY) > slack && end(), true);
  for (const type of ["pointerup", "pointercancel", "scroll", "contextmenu"]) addEventListener(type, end, true);
  // The finger that asked for a menu presses nothing when it is lifted, least of all the line that may be under it by then. Keys click, too, with
  // no detail.
  addEventListener("click", (e) => {
    if (!asked && !(outside && e.detail > 0 && e.target.closest(".popup"))) return;
    asked = false;
    e.preventDefault();
    e.stopPropagation();
  }, true);
})();

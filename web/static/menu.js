// Makes one contextmenu event of all the ways to ask for the menu of an element with data-menu: the right button, a long press and a key. The
// page's program opens the menu; the browser shows none of its own.
(() => {
  "use strict";
  const patience = 700; // milliseconds, longer than browsers wait that send the event for a long press
  const slack = 10; // pixels by which a resting finger may move
  /** @typedef {{ clientX: number, clientY: number }} Place */
  /** @param {EventTarget} target @param {Place} at */
  const ask = (target, at) => target.dispatchEvent(new PointerEvent("contextmenu", { ...at, bubbles: true, cancelable: true }));

  // An event of the whole page or window has no element.
  /** @param {Event} e @param {string} selector */
  const within = (e, selector) => (e.target instanceof Element ? e.target.closest(selector) : null);

  // Some browsers report the key when it is released, and the focus is in the program's menu by then.
  addEventListener("contextmenu", (e) => within(e, "[data-menu], .popup") && e.preventDefault());

  addEventListener("keydown", (e) => {
    if (e.defaultPrevented || (e.key !== "ContextMenu" && !(e.key === "F10" && e.shiftKey)) || !within(e, "[data-menu]")) return;
    e.preventDefault();
    const target = /** @type {Element} */ (e.target), box = target.getBoundingClientRect();
    ask(target, { clientX: box.left, clientY: box.bottom });
  });

  let timer = 0, asked = false;
  /** @type {Place | null} */
  let at = null;
  let outside = false; // the finger began outside of a menu
  const end = () => clearTimeout(timer);
  addEventListener("pointerdown", (e) => {
    end();
    asked = false;
    outside = e.pointerType === "touch" && !within(e, ".popup");
    if (e.pointerType !== "touch" || !e.isPrimary || !within(e, "[data-menu]")) return;
    const target = /** @type {Element} */ (e.target), place = { clientX: e.clientX, clientY: e.clientY };
    at = place;
    timer = setTimeout(() => {
      asked = true;
      ask(target, place);
    }, patience);
  }, true);
  addEventListener("pointermove", (e) => at && Math.hypot(e.clientX - at.clientX, e.clientY - at.clientY) > slack && end(), true);
  for (const type of ["pointerup", "pointercancel", "scroll", "contextmenu"]) addEventListener(type, end, true);
  // The finger that asked for a menu presses nothing when it is lifted, least of all the line that may be under it by then. Keys click, too, with
  // no detail.
  addEventListener("click", (e) => {
    if (!asked && !(outside && e.detail > 0 && within(e, ".popup"))) return;
    asked = false;
    e.preventDefault();
    e.stopPropagation();
  }, true);
})();

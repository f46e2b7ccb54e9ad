// Runs before the first paint: a theme chosen by the person takes precedence
// over the system's.
(() => {
  "use strict";
  const root = document.documentElement;
  const system = matchMedia("(prefers-color-scheme: dark)");
  const apply = () => {
    /** @type {string | null} */
    let chosen = null;
    try {
      chosen = localStorage.getItem("formgraph.theme");
    } catch {
      // If storage is forbidden, the system's theme applies.
    }
    root.dataset.theme = chosen === "light" || chosen === "dark" ? chosen : system.matches ? "dark" : "light";
  };
  apply();
  system.addEventListener("change", apply);
  // The program and other tabs store the choice; this tab follows.
  addEventListener("storage", apply);
})();

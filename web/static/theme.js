// Runs before the first paint: a theme the person chose beats the system's.
(() => {
  "use strict";
  const root = document.documentElement;
  const system = matchMedia("(prefers-color-scheme: dark)");
  const apply = () => {
    let chosen = null;
    try {
      chosen = localStorage.getItem("formgraph.theme");
    } catch {
      // Storage can be forbidden; then the system decides.
    }
    const known = chosen === "light" || chosen === "dark";
    root.dataset.theme = known ? chosen : system.matches ? "dark" : "light";
  };
  apply();
  system.addEventListener("change", apply);
  // The app and other tabs write the choice; this one follows.
  addEventListener("storage", apply);
})();

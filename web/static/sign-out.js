// The button of a message page that ends the session here and continues to the
// tenant's own sign-out.
(() => {
  "use strict";
  const button = /** @type {HTMLButtonElement} */ (document.getElementById("sign-out"));
  button.hidden = false;
  button.addEventListener("click", async () => {
    button.disabled = true;
    try {
      const answer = await fetch("/bff/logout", { method: "POST", headers: { "X-CSRF": "1" } });
      if (!answer.ok) throw new Error(String(answer.status));
      location.assign((await answer.json()).logout_url);
    } catch {
      button.disabled = false;
      button.textContent = "Sign out failed. Try again";
    }
  });
})();

// The way to sign in with a passkey. Where a browser has none its button stays hidden, and where there is
// no script nobody sees it: the password needs neither.
"use strict";
(() => {
  const box = document.getElementById("passkey");
  if (!box || !window.PublicKeyCredential || !navigator.credentials) return;
  const button = box.querySelector("button");
  const note = box.querySelector("[role=status]");

  const bytes = (text) => Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (c) => c.charCodeAt(0));
  const text = (buffer) => buffer && btoa(String.fromCharCode(...new Uint8Array(buffer)))
    .replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");

  const options = JSON.parse(box.dataset.options);
  options.challenge = bytes(options.challenge);

  // What is sent is sent once: a second answer would call the first one's way back off.
  let sent = false;
  addEventListener("pageshow", (event) => { if (event.persisted) sent = false; });

  // A page is sent, and not a request made, so that the browser follows the answer back to the application.
  const send = (response) => {
    sent = true;
    const form = document.createElement("form");
    form.method = "post";
    form.action = box.dataset.to;
    const fields = { token: box.dataset.token, session: box.dataset.session, response: JSON.stringify(response) };
    for (const [name, value] of Object.entries(fields)) {
      const input = document.createElement("input");
      input.type = "hidden";
      input.name = name;
      input.value = value;
      form.append(input);
    }
    document.body.append(form);
    form.submit();
  };

  // Of what waits for an answer there is one at a time: the browser refuses a second.
  let waiting = null;
  const ask = async (mediation) => {
    if (sent) return;
    if (waiting) waiting.abort();
    const mine = waiting = new AbortController();
    const c = await navigator.credentials.get({ publicKey: options, mediation, signal: mine.signal });
    if (mine !== waiting || !c) return;
    // The members by hand: browsers that have no toJSON have passkeys too.
    send({
      id: c.id, rawId: text(c.rawId), type: c.type, authenticatorAttachment: c.authenticatorAttachment || undefined,
      clientExtensionResults: {},
      response: {
        clientDataJSON: text(c.response.clientDataJSON), authenticatorData: text(c.response.authenticatorData),
        signature: text(c.response.signature), userHandle: text(c.response.userHandle) || undefined,
      },
    });
  };

  // Passkeys stand among what the browser fills in, until the button asks for one.
  const offer = async () => {
    const before = waiting;
    try {
      const can = await PublicKeyCredential.isConditionalMediationAvailable?.();
      if (can && waiting === before) await ask("conditional");
    } catch {
      // Nobody asked for it, so nobody is told that it failed.
    }
  };

  button.addEventListener("click", async () => {
    note.textContent = "";
    try {
      await ask("optional");
    } catch (fault) {
      if (fault.name === "AbortError") return;
      note.textContent = "No passkey was used. Try again, or enter your password.";
      offer();
    }
  });
  box.hidden = false;
  offer();
})();

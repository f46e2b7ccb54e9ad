import * as client from "openid-client";
import { visit } from "./browser.mjs";

const { TENANT, CLIENT, SECRET, CALLBACK } = process.env;
const done = [];
for (const [name, pushed, proof] of [["plain", false, false], ["pushed", true, false], ["DPoP", true, true]]) {
  const config = await client.discovery(new URL(TENANT), CLIENT, SECRET);
  const DPoP = proof ? client.getDPoPHandle(config, await client.randomDPoPKeyPair("ES256")) : undefined;
  const verifier = client.randomPKCECodeVerifier();
  const state = client.randomState();
  const nonce = client.randomNonce();
  const build = pushed ? client.buildAuthorizationUrlWithPAR : client.buildAuthorizationUrl;
  const url = await build(config, {
    redirect_uri: CALLBACK, scope: "openid email offline_access", state, nonce,
    code_challenge: await client.calculatePKCECodeChallenge(verifier), code_challenge_method: "S256",
  }, ...(pushed ? [{ DPoP }] : []));
  const back = new URL(await visit(url.href, CALLBACK));
  const first = await client.authorizationCodeGrant(config, back, { pkceCodeVerifier: verifier, expectedState: state, expectedNonce: nonce }, undefined, { DPoP });
  const next = await client.refreshTokenGrant(config, first.refresh_token, undefined, { DPoP });
  const who = await client.fetchUserInfo(config, next.access_token, first.claims().sub, { DPoP });
  if (who.email !== process.env.EMAIL) throw new Error("user info is of " + who.email);
  await client.tokenRevocation(config, next.refresh_token);
  const after = await client.fetchUserInfo(config, next.access_token, first.claims().sub, { DPoP }).then(() => "open", (e) => e.status);
  done.push(`${name} ${next.token_type} ${after}`);
}
console.log(done.join(", "));

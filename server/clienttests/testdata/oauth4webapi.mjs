import * as oauth from "oauth4webapi";
import { visit } from "./browser.mjs";

const { TENANT, CLIENT, SECRET, CALLBACK } = process.env;
const issuer = new URL(TENANT);
// RFC 8414.
const as = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, { algorithm: "oauth2" }));
const client = { client_id: CLIENT };
const auth = oauth.ClientSecretPost(SECRET);
const verifier = oauth.generateRandomCodeVerifier();
const state = oauth.generateRandomState();
const url = new URL(as.authorization_endpoint);
// RFC 8707.
url.search = new URLSearchParams({
  client_id: CLIENT, redirect_uri: CALLBACK, response_type: "code", scope: "openid email offline_access read:forms", state, resource: TENANT + "/api/v2/",
  code_challenge: await oauth.calculatePKCECodeChallenge(verifier), code_challenge_method: "S256",
});
const answer = oauth.validateAuthResponse(as, client, new URL(await visit(url.href, CALLBACK)), state);
const tokens = await oauth.processAuthorizationCodeResponse(as, client, await oauth.authorizationCodeGrantRequest(as, client, auth, answer, CALLBACK, verifier));
const sub = oauth.getValidatedIdTokenClaims(tokens).sub;
const next = await oauth.processRefreshTokenResponse(as, client, await oauth.refreshTokenGrantRequest(as, client, auth, tokens.refresh_token));
const who = await oauth.processUserInfoResponse(as, client, sub, await oauth.userInfoRequest(as, client, next.access_token));
const { aud } = JSON.parse(Buffer.from(next.access_token.split(".")[1], "base64url"));
// A code that is used again ends what it gave.
await oauth.authorizationCodeGrantRequest(as, client, auth, answer, CALLBACK, verifier);
const after = await oauth.userInfoRequest(as, client, next.access_token);
console.log(`${who.email === process.env.EMAIL} ${String(aud) === TENANT + "/api/v2/"} ${after.status}`);

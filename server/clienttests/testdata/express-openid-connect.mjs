import express from "express";
import connect from "express-openid-connect";
import { visit } from "./browser.mjs";

// Its defaults: an ID token by form_post.
const base = process.env.BASE;
const app = express();
app.use(connect.auth({ issuerBaseURL: process.env.TENANT, baseURL: base, clientID: process.env.CLIENT, secret: "a secret of the application's cookies", idpLogout: true }));
app.get("/", (req, res) => res.send(`hello ${req.oidc.user.email}`));
const server = app.listen(new URL(base).port, "127.0.0.1");
console.log(await visit(base + "/"));
console.log(new URL(await visit(base + "/logout", process.env.TENANT)).pathname);
server.close();
process.exit(0);

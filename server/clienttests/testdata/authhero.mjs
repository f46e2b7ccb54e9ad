// AuthHero on a free port of the loopback interface, with all its data in memory. It prints one JSON line with its addresses, the editor's
// client, a service client and a person, and runs until its input ends. The first argument is the editor's callback, the second the
// address that people return to after they sign out.
import { createServer } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { init, seed } from "authhero";

const tenant = "control_plane";
const audience = "urn:authhero:management";
const now = () => new Date().toISOString();

let count = 0;
const fresh = (prefix) => prefix + (++count).toString(36).padStart(12, "0");

// AuthHero filters lists with terms such as name:"A name" and -_exists_:linked_to.
const matcher = (q) => {
  const terms = [...(q ?? "").matchAll(/(-?)([\w.]+):(?:"([^"]*)"|(\S+))/g)]
    .map(([, not, field, quoted, plain]) => ({ not: not !== "", field, value: quoted ?? plain }));
  const fits = (row, { field, value }) => (field === "_exists_" ? (row[value] ?? null) !== null : String(row[field]) === value);
  return (row) => terms.every((term) => fits(row, term) !== term.not);
};

// A row does not say whose it is, except to its table.
const copy = (row) => {
  const { tenant_id, ...rest } = structuredClone(row);
  return rest;
};

const paged = (rows, name, { page = 0, per_page = 50 } = {}) => {
  const shown = rows.slice(page * per_page, (page + 1) * per_page);
  return { [name]: shown.map(copy), start: page * per_page, limit: per_page, length: rows.length, total: rows.length };
};

// table keeps rows of all tenants; key is the property that identifies a row within its tenant, name the property of lists.
const table = (name, { key = "id", prefix = name.slice(0, 3) + "_", bare = false } = {}) => {
  const rows = [];
  const all = (owner, q) => rows.filter((r) => r.tenant_id === owner).filter(matcher(q));
  const find = (owner, id) => rows.find((r) => r.tenant_id === owner && r[key] === id);
  return {
    rows,
    all,
    create: async (owner, row) => {
      const made = { [key]: fresh(prefix), created_at: now(), updated_at: now(), ...structuredClone(row), tenant_id: owner };
      rows.push(made);
      return copy(made);
    },
    get: async (owner, id) => {
      const row = find(owner, id);
      return row ? copy(row) : null;
    },
    list: async (owner, params) => {
      const found = all(owner, params?.q);
      return bare ? found.map(copy) : paged(found, name, params);
    },
    update: async (owner, id, change) => {
      const row = find(owner, id);
      if (row) Object.assign(row, structuredClone(change), { updated_at: now() });
      return row !== undefined;
    },
    remove: async (owner, id) => {
      const row = find(owner, id);
      if (row) rows.splice(rows.indexOf(row), 1);
      return row !== undefined;
    },
  };
};

// setting keeps one value of each tenant and further keys.
const setting = (empty = null) => {
  const values = new Map();
  return {
    get: async (...keys) => structuredClone(values.get(keys.join("\n")) ?? empty),
    set: async (...args) => void values.set(args.slice(0, -1).join("\n"), structuredClone(args.at(-1))),
    list: async () => [],
  };
};

const memory = () => {
  const data = {
    actions: table("actions"),
    actionExecutions: table("executions"),
    actionVersions: table("versions"),
    authenticationMethods: table("methods", { bare: true }),
    branding: setting(),
    clients: table("clients", { key: "client_id" }),
    clientConnections: {
      listByClient: async (owner, id) => {
        const names = data.clients.rows.find((r) => r.tenant_id === owner && r.client_id === id)?.connections ?? [];
        return structuredClone(data.connections.all(owner).filter((r) => names.includes(r.id) || names.includes(r.name)));
      },
    },
    clientGrants: table("client_grants"),
    codes: table("codes", { key: "code_id" }),
    connections: table("connections"),
    customDomains: table("custom_domains", { bare: true }),
    customText: setting(),
    emailProviders: setting(),
    emailTemplates: setting(),
    flows: table("flows", { prefix: "af_" }),
    forms: table("forms", { prefix: "ap_" }),
    hookCode: table("hook_code"),
    hooks: table("hooks"),
    invites: table("invites"),
    keys: table("signingKeys", { key: "kid" }),
    loginSessions: table("login_sessions"),
    logs: table("logs", { key: "log_id" }),
    organizationConnections: table("organization_connections", { bare: true }),
    organizations: table("organizations"),
    passwords: table("passwords", { bare: true }),
    promptSettings: setting({}),
    refreshTokens: table("refresh_tokens"),
    resourceServers: table("resource_servers"),
    rolePermissions: table("role_permissions", { bare: true }),
    roles: table("roles"),
    sessions: table("sessions"),
    tenants: table("tenants"),
    themes: table("themes", { key: "themeId" }),
    universalLoginTemplates: setting(),
    userOrganizations: table("userOrganizations"),
    userPermissions: table("user_permissions", { bare: true }),
    userRoles: table("user_roles"),
    users: table("users", { key: "user_id" }),
    transaction: (work) => work(data),
  };
  // Clients, keys and tenants can also be found without their tenant.
  data.clients.getByClientId = async (id) => structuredClone(data.clients.rows.find((r) => r.client_id === id) ?? null);
  for (const store of [data.keys, data.tenants]) {
    for (const method of ["create", "get", "list", "update", "remove"]) store[method] = store[method].bind(null, undefined);
  }

  const { codes, passwords, users, userRoles } = data;
  const use = async (owner, id) => {
    const unused = (await codes.get(owner, id))?.used_at === undefined;
    return unused && codes.update(owner, id, { used_at: now() });
  };
  Object.assign(codes, { used: use, consume: use });

  const update = passwords.update;
  passwords.get = async (owner, user) => structuredClone(passwords.all(owner).findLast((r) => r.user_id === user) ?? null);
  passwords.list = async (owner, user) => structuredClone(passwords.all(owner).filter((r) => r.user_id === user));
  passwords.update = async (owner, { id, ...change }) => update(owner, id, change);

  const create = users.create;
  users.create = async (owner, { password, ...user }) => {
    if (password) {
      const { hash, algorithm } = password;
      await passwords.create(owner, { user_id: user.user_id, password: hash, algorithm, is_current: true });
    }
    return create(owner, user);
  };
  users.rawCreate = users.create;

  // Roles and permissions belong to a user, or to a role, and perhaps to an organization.
  userRoles.create = async (owner, user, role, organization = "") => {
    userRoles.rows.push({ tenant_id: owner, user, role, organization });
    return true;
  };
  userRoles.list = async (owner, user, _, organization) => {
    const held = userRoles.all(owner).filter((r) => r.user === user && (organization === undefined || r.organization === organization));
    return Promise.all(held.map((r) => data.roles.get(owner, r.role)));
  };
  data.rolePermissions.assign = async (owner, role, permissions) => {
    for (const p of permissions) await data.rolePermissions.create(owner, { ...p, role_id: role });
    return true;
  };
  data.rolePermissions.list = async (owner, role) => structuredClone(data.rolePermissions.all(owner).filter((r) => r.role_id === role));
  data.userPermissions.list = async () => [];
  data.userOrganizations.listUserOrganizations = async (owner, user) => {
    const held = data.userOrganizations.all(owner).filter((r) => r.user_id === user).map((r) => r.organization_id);
    return paged(data.organizations.all(owner).filter((r) => held.includes(r.id)), "organizations");
  };
  data.authenticationMethods.list = async (owner, user) =>
    structuredClone(data.authenticationMethods.all(owner).filter((r) => r.user_id === user));
  data.customDomains.getByDomain = async () => null;
  return data;
};

const data = memory();
const [callback, signedOut] = process.argv.slice(2);
const server = createServer();
server.listen(0, "127.0.0.1");
await new Promise((done) => server.once("listening", done));
const issuer = `http://localhost:${server.address().port}/`;

const person = { email: "ada@team.example", username: "ada", password: "A-long-passw0rd-0f-hers" };
await seed(data, { adminUsername: person.username, adminEmail: person.email, adminPassword: person.password, debug: false });
const editor = await data.clients.create(tenant, {
  client_id: "editor", client_secret: "secret-of-the-editor", name: "Editor", app_type: "regular_web", is_first_party: true,
  grant_types: ["authorization_code", "refresh_token"], callbacks: [callback], allowed_logout_urls: [signedOut],
  connections: ["Username-Password-Authentication"], token_endpoint_auth_method: "client_secret_post",
});
const service = await data.clients.create(tenant, {
  client_id: "service", client_secret: "secret-of-the-service", name: "Service", app_type: "non_interactive", is_first_party: true,
  grant_types: ["client_credentials"],
});
await data.clientGrants.create(tenant, {
  client_id: service.client_id, audience, scope: ["read:forms", "create:forms", "update:forms", "delete:forms", "read:flows"],
});

const { app } = init({ dataAdapter: data });
const env = { data, ISSUER: issuer, ENVIRONMENT: "test" };
server.on("request", getRequestListener((request) => app.fetch(request, env)));
console.log(JSON.stringify({
  issuer, audience, management_url: issuer + "api/v2", person,
  client: { client_id: editor.client_id, client_secret: editor.client_secret },
  service: { client_id: service.client_id, client_secret: service.client_secret },
}));
process.stdin.on("close", () => process.exit()).resume();

// A browser that follows redirects, keeps cookies, fills in the tenant's sign-in page and sends pages that post
// themselves. It is as much of one as programs on a server need.
const cookies = {};

const plain = (text) => text.replace(/&#(\d+);/g, (_, n) => String.fromCodePoint(n)).replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"').replaceAll("&amp;", "&");

const keep = (jar, line) => {
  const pair = line.split(";", 1)[0];
  const at = pair.indexOf("=");
  const gone = /max-age=0|max-age=-1|expires=Thu, 01 Jan 1970/i.test(line);
  if (gone) delete jar[pair.slice(0, at)];
  else jar[pair.slice(0, at)] = pair.slice(at + 1);
};

// What a page's form sends, and where to; null for a page that shows something.
const form = (url, page) => {
  const tag = /<form[^>]*method="post"[^>]*>/.exec(page);
  if (!tag) return null;
  const fields = new URLSearchParams();
  for (const [, name, value] of page.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)) fields.append(plain(name), plain(value));
  if (page.includes('type="password"')) {
    fields.set("email", process.env.EMAIL);
    fields.set("password", process.env.PASSWORD);
  }
  return [new URL(plain(/action="([^"]*)"/.exec(tag[0])[1]), url).href, { method: "POST", body: fields }];
};

// visit returns the text of the page that an address leads to, or the first address that begins with until.
export const visit = async (url, until) => {
  let init = {};
  for (let step = 0; step < 20; step++) {
    const jar = (cookies[new URL(url).host] ??= {});
    const res = await fetch(url, { ...init, redirect: "manual", headers: { cookie: Object.entries(jar).map((c) => c.join("=")).join("; ") } });
    res.headers.getSetCookie().forEach((line) => keep(jar, line));
    const to = res.headers.get("location");
    const page = await res.text();
    const next = to ? [new URL(to, url).href, {}] : form(url, page);
    if (!next) return page;
    [url, init] = next;
    if (until && url.startsWith(until)) return url;
  }
  throw new Error("too many redirects, the last to " + url);
};

/**
 * Tests the environment of a session, such as device and locale, as pages and servers see it, in a real
 * Chromium.
 */
import { afterEach, expect, test } from "bun:test";
import { deviceNamed } from "../../../../../actors/browser/index.ts";
import { analyzeOptionsSchema } from "../../../../../machines/session/page/page-snapshot.ts";
import type { BrowserEnvironment } from "../../../../../machines/session/state/session-start-options.ts";
import { html, serveSite } from "../../../../sites/test-site-with-given-routes.ts";
import { isFull } from "../../../../test-run-tier-and-seed.ts";
import { type SessionStage, sessionStage } from "../session-in-shared-test-browser.ts";

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const NOTHING: BrowserEnvironment = { credentials: [], headers: [] };

async function staged(environment: Partial<BrowserEnvironment>, more: object = {}): Promise<SessionStage> {
  const stage = await sessionStage({ given: { environment: { ...NOTHING, ...environment }, ...more } });
  closing.push(stage.close);
  return stage;
}

function otherSite() {
  const site = serveSite({ "*": () => html("Other", "<p>other</p>") }, { hostname: "127.0.0.2" });
  closing.push(site.stop);
  return site;
}

const ENVIRONMENT = `JSON.stringify({ agent: navigator.userAgent, language: navigator.language,
  number: (1234.5).toLocaleString(), zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  dark: matchMedia("(prefers-color-scheme: dark)").matches, still: matchMedia("(prefers-reduced-motion: reduce)").matches,
  touch: navigator.maxTouchPoints, ratio: devicePixelRatio })`;

test("pages and frames of other sites see the user agent, language, time zone, colours and touch that the caller requested", async () => {
  const other = otherSite();
  other.routes.set("/", html("Other", `<p id="p"></p><script>p.textContent = ${ENVIRONMENT}</script>`));
  const stage = await staged({
    user_agent: "Mozilla/5.0 (Test) Cairn",
    locale: "de-AT",
    timezone: "Pacific/Auckland",
    color_scheme: "dark",
    reduced_motion: "reduce",
    has_touch: true,
    device_scale_factor: 2,
  });
  await stage.show(`<iframe src="${other.url("/")}"></iframe>`);
  const expected = {
    agent: "Mozilla/5.0 (Test) Cairn",
    language: "de-AT",
    zone: "Pacific/Auckland",
    dark: true,
    still: true,
    touch: 5,
    ratio: 2,
  };
  const page = JSON.parse(String(await stage.run(ENVIRONMENT)));
  expect(page).toMatchObject(expected);
  expect(page.number).toMatch(/^1.?234,5$/);
  const [, frame] = await stage.session.documentHtml(undefined);
  expect(frame?.html).toContain("Pacific/Auckland");
  const sent = other.log.at(-1)?.headers;
  expect(sent?.get("user-agent")).toBe("Mozilla/5.0 (Test) Cairn");
  expect(sent?.get("accept-language")).toBe("de-AT,de;q=0.9");
}, 60_000);

test("a device sets viewport and user agent of a session, and a geolocation is available to its pages", async () => {
  const { viewport, ...claims } = await deviceNamed("iphone 15");
  expect(viewport.width).toBeLessThan(500);
  await expect(deviceNamed("iPhone 1000")).rejects.toMatchObject({ code: "request.invalid" });
  const stage = await staged({ ...claims, geolocation: { latitude: 48.2, longitude: 16.4, accuracy: 5 } });
  await stage.show("<p>here</p>");
  expect(await stage.run("/iPhone/.test(navigator.userAgent) && 'ontouchstart' in window")).toBe(true);
  const at =
    "new Promise((ok, no) => navigator.geolocation.getCurrentPosition(({ coords }) => ok([coords.latitude, coords.longitude]), no))";
  expect(await stage.run(at)).toEqual([48.2, 16.4]);
}, 60_000);

const POINTED = `["pointer: fine", "hover: hover", "any-pointer: fine", "any-hover: hover", "pointer: coarse", "hover: none"]
  .filter((feature) => matchMedia("(" + feature + ")").matches).join(", ")`;
const MOUSE = "pointer: fine, hover: hover, any-pointer: fine, any-hover: hover";
const FINGERS = "pointer: coarse, hover: none";

test.if(isFull)(
  "a desktop device has a mouse, even in frames of other sites, and a touch device has none",
  async () => {
    const other = otherSite();
    other.routes.set("/", html("Other", `<p id="p"></p><script>p.textContent = ${POINTED}</script>`));
    const stage = await staged({});
    await stage.show(`<iframe src="${other.url("/")}"></iframe>`);
    expect(await stage.run(POINTED)).toBe(MOUSE);
    const [, frame] = await stage.session.documentHtml(undefined);
    expect(frame?.html).toContain(`>${MOUSE}<`);
    for (const is_mobile of [false, true]) {
      const touched = await staged({ has_touch: true, is_mobile });
      await touched.show(`<iframe src="${other.url("/")}"></iframe>`);
      expect(await touched.run(POINTED)).toBe(FINGERS);
      const [, inner] = await touched.session.documentHtml(undefined);
      expect(inner?.html).toContain(`>${FINGERS}<`);
    }
  },
  60_000,
);

test("headers of a session are sent only to their host, and not with a redirect or a subresource elsewhere", async () => {
  const other = otherSite();
  const stage = await staged({ headers: [] });
  const host = new URL(stage.site.origin).host;
  const own = await sessionStage({
    given: {
      environment: { ...NOTHING, headers: [{ hosts: [host], headers: { "X-Own": "t0ken", Accept: "own" } }] },
    },
    routes: {},
  });
  closing.push(own.close);
  stage.site.routes.set(
    "/",
    html("Own", `<img src="/img"><img src="${other.url("/img")}"><iframe src="/frame"></iframe>`),
  );
  stage.site.routes.set(
    "/away",
    new Response(null, { status: 302, headers: { location: other.url("/landed") } }),
  );
  expect((await own.session.open(stage.site.url("/"))).success).toBe(true);
  await own.act("wait", { network_idle: true, seconds: 10 });
  for (const path of ["/", "/img", "/frame"]) {
    const headers = stage.site.log.find((one) => one.path === path)?.headers;
    expect([path, headers?.get("x-own"), headers?.get("accept")]).toEqual([path, "t0ken", "own"]);
  }
  await own.session.open(stage.site.url("/away"));
  expect(other.log.map(({ path }) => path)).toEqual(expect.arrayContaining(["/img", "/landed"]));
  for (const { headers } of other.log) expect(headers.get("x-own")).toBeNull();
}, 60_000);

test.if(isFull)(
  "an HTTP password is sent only to its host, and not again if it is wrong",
  async () => {
    const asking = (right: string) => (request: Request) => {
      const given = request.headers.get("authorization") ?? "";
      if (given === `Basic ${btoa(right)}`) return html("In", "<h1>Inside</h1>");
      return new Response("no", { status: 401, headers: { "www-authenticate": 'Basic realm="x"' } });
    };
    const site = serveSite({ "/": asking("ann:s3cret"), "/wrong": asking("bob:x") });
    const other = serveSite({ "/": asking("ann:s3cret") }, { hostname: "127.0.0.2" });
    closing.push(site.stop, other.stop);
    const stage = await staged({
      credentials: [{ hosts: [new URL(site.origin).host], username: "ann", password: "s3cret" }],
    });
    await stage.session.open(site.url("/"));
    expect((await stage.session.content()).dom_summary).toContain("Inside");
    await stage.session.open(site.url("/wrong"));
    expect(site.requests.filter((path) => path === "/wrong").length).toBeLessThanOrEqual(2);
    await stage.session.open(other.url("/"));
    expect(other.log.every(({ headers }) => headers.get("authorization") === null)).toBe(true);
  },
  60_000,
);

test.if(isFull)(
  "cookies and storage that the caller gives exist before the first script of the page",
  async () => {
    const site = serveSite({
      "/": () =>
        html("In", `<p id="p"></p><script>p.textContent = document.cookie + localStorage.cart</script>`),
    });
    closing.push(site.stop);
    const cookie = {
      name: "sid",
      value: "abc",
      domain: "127.0.0.1",
      path: "/",
      httpOnly: false,
      secure: false,
      priority: "Medium",
      sourceScheme: "Unset",
      sourcePort: -1,
    } as const;
    const origin = { top: site.origin, origin: site.origin, local: [["cart", "3"]] as const, databases: [] };
    const stage = await staged({}, { storage: { cookies: [cookie], origins: [origin] } });
    await stage.session.open(site.url("/"));
    expect((await stage.session.content()).dom_summary).toContain("sid=abc3");
    expect(site.log.find(({ path }) => path === "/")?.headers.get("cookie")).toBe("sid=abc");
    const { session } = await stage.session.save(true);
    expect(session.cookies).toMatchObject([{ name: "sid", value: "abc" }]);
    expect(session.origins).toMatchObject([{ origin: site.origin, local: [["cart", "3"]] }]);
  },
  60_000,
);

test.if(isFull)(
  "a window that a page opens has the environment of the session before its first request and script",
  async () => {
    const site = serveSite({
      "/": html(
        "Main",
        `<button onclick="window.open('/opened')">Open</button><a href="/linked" target="_blank" rel="noopener">Link</a>
       <form action="/sent" target="_blank"><button>Send</button></form>
       <button onclick="window.open('').document.body.textContent = 'written ' + window.open('', 'x').navigator.language">Write</button>`,
      ),
      "*": (request) => {
        if (request.headers.get("authorization") !== `Basic ${btoa("ann:s3cret")}`)
          return new Response("no", { status: 401, headers: { "www-authenticate": 'Basic realm="x"' } });
        return html("Window", `<p id="p"></p><script>p.textContent = "at once " + ${ENVIRONMENT}</script>`);
      },
    });
    closing.push(site.stop);
    const hosts = [new URL(site.origin).host];
    const stage = await staged({
      locale: "de-AT",
      timezone: "Pacific/Auckland",
      headers: [{ hosts, headers: { "x-own": "t0ken" } }],
      credentials: [{ hosts, username: "ann", password: "s3cret" }],
    });
    await stage.session.open(site.url("/"));
    for (const [at, [name, path]] of Object.entries({
      Open: "/opened",
      Link: "/linked",
      Send: "/sent",
    }).entries()) {
      const data = await stage.analyze();
      const index = data.highlightedElements.find(({ textContent }) => textContent === name)?.highlight_index;
      expect((await stage.act("click", { index })).success).toBe(true);
      while ((await stage.session.context()).tabs.length < at + 2) await Bun.sleep(5);
      expect((await stage.act("switch", { tab: at + 1 })).success).toBe(true);
      await stage.act("wait", { text: "at once", seconds: 10 });
      expect((await stage.session.content()).dom_summary).toContain('"language":"de-AT"');
      expect((await stage.session.content()).dom_summary).toContain("Pacific/Auckland");
      const asked = site.log.filter((one) => one.path.startsWith(path));
      for (const { headers } of asked) {
        expect([path, headers.get("x-own"), headers.get("accept-language")]).toEqual([
          path,
          "t0ken",
          "de-AT,de;q=0.9",
        ]);
      }
      await stage.act("switch", { tab: 0 });
    }
    const data = await stage.analyze();
    const index = data.highlightedElements.find(
      ({ textContent }) => textContent === "Write",
    )?.highlight_index;
    expect((await stage.act("click", { index })).success).toBe(true);
    // A new window of the first session does not load before Cairn has set its language, time zone and headers. A
    // window of another session in the same browser does not have to wait.
    const other = await stage.browser.openSession({ viewport: { width: 800, height: 600 } });
    await other.open(site.url("/"));
    const { highlightedElements } = await other.analyze(analyzeOptionsSchema.parse({}));
    await other.perform(
      { name: "click", params: { index: highlightedElements[0]?.highlight_index ?? -1 } },
      async () => {},
    );
    while ((await other.context()).tabs.length < 2) await Bun.sleep(5);
    await other.close();
  },
  60_000,
);

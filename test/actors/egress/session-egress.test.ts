/**
 * Tests browser sessions behind the egress proxy: neither a caller's request nor a page's request bypasses
 * the egress policy.
 */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, BrowserSession } from "../../../actors/browser/index.ts";
import { createDestinations, type EgressProxy, startEgressProxy } from "../../../actors/egress/index.ts";
import type { Destinations } from "../../../machines/egress/checked-host-resolver-interface.ts";
import { parseAction } from "../../../machines/session/actions/parse-action.ts";
import { networkRequestSchema } from "../../../machines/session/outputs/console-and-network-log-schemas.ts";
import { loginSchema } from "../../../machines/session/state/login-recipe.ts";
import { html, type ScriptedSite, serveSite } from "../../sites/test-site-with-given-routes.ts";
import { isFull } from "../../test-run-tier-and-seed.ts";
import { unstartedTestBrowser } from "../browser/test-browser.ts";
import { closeAll, closing, listen } from "./proxy-test-setup.ts";

const PATIENCE = 120_000;
setDefaultTimeout(PATIENCE);

let site: ScriptedSite;
let proxy: EgressProxy;
let browser: Browser;
let session: BrowserSession;
/** Port of a server to which the egress policy forbids all connections. */
let forbidden: number;
let reached = 0;

/**
 * Returns the egress policy of a Cairn that does not listen on loopback, so loopback is forbidden. Only the port of
 * the test's own site is allowed.
 */
function only(port: string): Destinations {
  const closed = createDestinations({
    policy: { loopback: false, allowPrivate: [] },
    lookup: async (host) => (host === "rebound.test" ? ["127.0.0.1"] : ["169.254.169.254"]),
  });
  return {
    addressesOf: (url) => (url.port === port ? ["127.0.0.1"] : closed.addressesOf(url)),
    avoid: closed.avoid.bind(closed),
  };
}

beforeAll(async () => {
  forbidden = await listen((socket) => {
    reached++;
    socket.destroy();
  });
  site = serveSite({});
  proxy = await startEgressProxy({ destinations: only(new URL(site.origin).port) });
  const made = await unstartedTestBrowser({ proxy: async () => proxy });
  browser = made.browser;
  const downloads = await mkdtemp(join(tmpdir(), "cairn-egress-"));
  closing.push(() => rm(made.folder, { recursive: true, force: true }));
  closing.push(() => rm(downloads, { recursive: true, force: true }));
  session = await browser.openSession({ viewport: { width: 800, height: 600 }, downloads });
});
afterAll(async () => {
  await session?.close();
  await browser?.close();
  await proxy?.close();
  site?.stop();
  await closeAll();
});

const act = (name: string, params: Readonly<Record<string, unknown>> = {}) =>
  session.perform(parseAction(name, params), async () => {});

async function show(path: string, body: string): Promise<void> {
  site.routes.set(path, html("Page", body));
  const opened = await session.open(site.url(path));
  if (!opened.success) throw new Error(String(opened.error));
}

/**
 * Forbidden destinations: metadata services, neighbouring hosts and private networks, by name and by address
 * in each notation.
 */
const ELSEWHERE = [
  "169.254.169.254",
  "169.254.43518",
  "2852039166",
  "0xa9fea9fe",
  "0251.0376.0251.0376",
  "[::ffff:169.254.169.254]",
  "[64:ff9b::a9fe:a9fe]",
  "[2002:a9fe:a9fe::1]",
  "[fd00:ec2::254]",
  "100.100.100.200",
  "168.63.129.16",
  "[fe80::1]",
  "10.0.0.1",
  "172.16.0.1",
  "192.168.1.1",
  "100.64.0.1",
  "[fc00::1]",
  "metadata.google.internal",
  "anything.test",
] as const;

test.if(isFull)(
  "neither a session nor its pages can open a forbidden address of another network",
  async () => {
    // Only every fourth destination is tried, because each failed navigation takes time.
    for (const host of ELSEWHERE.filter((_, at) => at % 4 === 0)) {
      const url = `http://${host}/latest/meta-data/`;
      const asked = await act("navigate", { url });
      expect([host, asked.success, asked.data.code]).toEqual([host, false, "navigation_blocked"]);
    }
    // The page itself now sends requests to the forbidden hosts, by `fetch` and by WebSocket. The proxy must refuse
    // all of them.
    const hosts = JSON.stringify(ELSEWHERE);
    await show(
      "/next-door",
      `<script>
        const ends = ${hosts}.flatMap((host) => [
          fetch("http://" + host + "/", { mode: "no-cors" }).then((answer) => answer.text(), () => "refused"),
          new Promise((done) => {
            const socket = new WebSocket("ws://" + host + "/");
            socket.onopen = () => done("open");
            socket.onerror = () => done("refused");
          }),
        ]);
        Promise.all(ends).then((all) => document.body.append("ended: " + [...new Set(all)].map((end) => end || "refused").join()));
      </script>`,
    );
    const waited = await act("wait", { text: "ended: refused", seconds: 20 });
    expect(waited.success).toBe(true);
    for (const host of ELSEWHERE)
      expect([host, proxy.failureOf(`http://${host}/`)?.code]).toEqual([host, "egress.refused"]);
  },
);

test("a refused address leaves the page of the session unchanged", async () => {
  await show("/kept", `<input aria-label="Note"><button>Send</button>`);
  const before = await session.context();
  for (const url of ["http://169.254.169.254/", "http://anything.test/", "https://10.0.0.1/"]) {
    expect((await act("navigate", { url })).data).toMatchObject({
      code: "navigation_blocked",
      reason: "egress.refused",
    });
    expect(await session.context()).toMatchObject({ url: before.url, title: "Page" });
  }
});

/** Returns the index of the first element in a new snapshot of the page. */
async function firstIndex(): Promise<number> {
  const { highlightedElements, url } = await session.analyze({
    viewport_only: false,
    include_text: false,
    include_left_out: false,
    highlight: false,
  });
  const [first] = highlightedElements;
  if (!first) throw new Error(`There is nothing to click on ${url}`);
  return first.highlight_index;
}

/** Ways to write this machine's address, and names that resolve to it or to a metadata service. */
const HOSTS = [
  "127.0.0.1",
  "127.1",
  "2130706433",
  "0x7f000001",
  "0177.0.0.1",
  "127.0.0.1.",
  "localhost",
  "LOCALHOST.",
  "a.localhost",
  "[::1]",
  "[0:0:0:0:0:0:0:1]",
  "[::ffff:127.0.0.1]",
  "[::ffff:7f00:1]",
  "[64:ff9b::7f00:1]",
  "0.0.0.0",
  "[::]",
  "１２７.０.０.１",
  "rebound.test",
] as const;

test.each([...HOSTS].filter((_, at) => isFull || at % 5 === 0))(
  "a session does not open the forbidden host %s by navigation, link or redirect",
  async (host) => {
    const url = `http://${host}:${forbidden}/`;
    const asked = await act("navigate", { url });
    expect([host, asked.success, asked.data.code]).toEqual([host, false, "navigation_blocked"]);
    site.routes.set("/hop", new Response(null, { status: 302, headers: { location: encodeURI(url) } }));
    const hopped = await act("navigate", { url: site.url("/hop") });
    expect(JSON.stringify(hopped.data)).not.toContain("reached");
    await show("/link", `<a href="${url}">Go</a>`);
    const clicked = await act("click", { index: await firstIndex() });
    expect([host, clicked.success, clicked.data.code]).toEqual([host, false, "navigation_blocked"]);
    expect(clicked.data).toMatchObject({ clicked: true, reason: "egress.refused" });
    expect(reached).toBe(0);
  },
);

test.if(isFull)(
  "a session opens no forbidden address over HTTPS, and can open an allowed page afterwards",
  async () => {
    const blocked = { code: "navigation_blocked", reason: "egress.refused" };
    for (let time = 0; time < 5; time++) {
      const url = `https://127.0.0.1:${forbidden}/${time}`;
      expect((await act("navigate", { url })).data).toMatchObject({ ...blocked, url });
      site.routes.set("/secure-hop", new Response(null, { status: 302, headers: { location: url } }));
      expect((await act("navigate", { url: site.url("/secure-hop") })).data).toMatchObject({
        ...blocked,
        url,
      });
      await show(`/secure-${time}`, `<a href="${url}">Go</a>`);
      expect((await act("click", { index: await firstIndex() })).data).toMatchObject({
        ...blocked,
        clicked: true,
      });
    }
    expect(reached).toBe(0);
  },
);

test.each([
  "file:///etc/passwd",
  "chrome://version",
  "javascript:alert(1)",
  "view-source:http://127.0.0.1/",
  "ftp://127.0.0.1/",
  "devtools://devtools/bundled/inspector.html",
  "blob:http://127.0.0.1/x",
  "filesystem:http://127.0.0.1/temporary/x",
])("a session does not open the address %s, which is not an HTTP address", async (url) => {
  expect((await act("navigate", { url })).data).toMatchObject({ code: "navigation_blocked" });
});

test("no request of a page reaches a forbidden address: frames, scripts, workers, sockets, forms, windows, files", async () => {
  const host = `127.0.0.1:${forbidden}`;
  site.routes.set(
    "/sw.js",
    new Response(`fetch("http://${host}/sw", { mode: "no-cors" }).catch(() => {})`, {
      headers: { "content-type": "text/javascript" },
    }),
  );
  await show(
    "/tries",
    `<img src="http://${host}/img"><iframe src="http://${host}/frame"></iframe><object data="http://${host}/object"></object>
       <link rel="stylesheet" href="http://${host}/style"><link rel="preload" as="fetch" href="http://${host}/preload">
       <video src="http://${host}/video" poster="http://${host}/poster"></video><iframe src="file:///etc/passwd"></iframe>
       <form id="f" action="http://${host}/form" method="post" target="_blank"></form><iframe srcdoc="<meta http-equiv=refresh content='0;url=http://${host}/refresh'>"></iframe>
       <style>@font-face { font-family: x; src: url(http://${host}/font) } p { font-family: x; background: url(http://${host}/background) }</style><p>text</p>
       <script>
         const end = (start) => new Promise((resolve) => { start(resolve); setTimeout(resolve, 3000) });
         const work = 'importScripts("http://${host}/import")';
         const asks = 'fetch("http://${host}/worker", { mode: "no-cors" }).catch(String).then(() => postMessage(1))';
         const of = (code) => URL.createObjectURL(new Blob([code]));
         window.tried = Promise.all([
           fetch("http://${host}/fetch", { mode: "no-cors" }).catch(String),
           fetch("https://${host}/secure", { mode: "no-cors" }).catch(String),
           end((done) => { const s = new WebSocket("ws://${host}/ws"); s.onopen = s.onerror = done }),
           end((done) => { const s = new WebSocket("wss://${host}/wss"); s.onopen = s.onerror = done }),
           end((done) => { new Worker(of(asks)).onmessage = done }),
           end((done) => { new Worker(of(work)).onerror = done }),
           end((done) => { new SharedWorker(of(asks)); setTimeout(done, 500) }),
           end((done) => { const e = new EventSource("http://${host}/events"); e.onopen = e.onerror = done }),
           navigator.serviceWorker.register("/sw.js").catch(String),
         ]);
         navigator.sendBeacon("http://${host}/beacon", "x");
         const peer = new RTCPeerConnection({ iceServers: [{ urls: "stun:${host}" }, { urls: "turn:${host}?transport=tcp", username: "a", credential: "b" }] });
         peer.createDataChannel("x"); peer.createOffer().then((offer) => peer.setLocalDescription(offer));
         window.open("http://${host}/window"); window.open("file:///etc/passwd"); f.submit();
         const link = document.createElement("a"); link.href = "http://${host}/file"; link.download = "x"; link.target = "_blank"; document.body.append(link); link.click();
         tried.then(() => document.body.append("all tried"));
       </script>`,
  );
  const waited = await act("wait", { text: "all tried", seconds: 20 });
  expect(waited.success).toBe(true);
  await act("wait", { downloads: true, network_idle: true, seconds: 20 });
  expect(reached).toBe(0);
  expect(proxy.failureOf(`http://${host}/`)).toMatchObject({ code: "egress.refused" });
  const { requests } = session.resources.network(
    networkRequestSchema.parse({ room_name: "x", url: host, limit: 1_000 }),
  );
  expect(requests.filter(({ type }) => type === "image")[0]).toMatchObject({
    state: "failed",
    code: "egress.refused",
  });
  const { tabs } = await session.context();
  expect(JSON.stringify(tabs)).not.toContain("/etc/passwd");
  const written = await session.documentHtml(undefined);
  expect(JSON.stringify(written)).not.toContain("root:");
  for (const { state, bytes } of session.resources.downloads?.all() ?? [])
    expect([state, bytes > 0 && state === "completed"]).not.toEqual(["completed", true]);
});

test("a login cannot open a forbidden address", async () => {
  const recipe = loginSchema.parse({
    url: `http://127.0.0.1:${forbidden}/login`,
    fields: [{ label: "User", value: "ann" }],
    success: { text: "In" },
  });
  const secrets = { known: async () => false, reveal: async () => "x" };
  const outcome = await session.login(recipe, secrets, async () => {});
  expect(outcome).toMatchObject({ success: false, data: { code: "navigation_blocked" } });
  expect(reached).toBe(0);
});

/**
 * Tests a real Chromium behind the egress proxy: no request of a page bypasses the egress policy, and allowed
 * requests succeed.
 */
import { afterEach, expect, setDefaultTimeout, test } from "bun:test";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { chromium } from "playwright";
import { findChromium } from "../../../actors/browser/index.ts";
import { createDestinations, startEgressProxy } from "../../../actors/egress/index.ts";
import type { Destinations } from "../../../machines/egress/checked-host-resolver-interface.ts";
import { documentOf, testBrowser } from "../browser/test-browser.ts";
import { closeAll, closing, listen, proxyOf } from "./proxy-test-setup.ts";

afterEach(closeAll);

/** Time limit of a test in milliseconds. It is long, because the test may have to install Chromium first. */
const PATIENCE = 120_000;
setDefaultTimeout(PATIENCE);
const { signal } = new AbortController();

/**
 * Returns the egress policy of a Cairn that does not listen on loopback, so loopback is forbidden. Only the port of
 * the test's own site is allowed.
 */
function only(port: number): Destinations {
  const closed = createDestinations({ policy: { loopback: false, allowPrivate: [] } });
  return {
    addressesOf: (url) => (url.port === String(port) ? ["127.0.0.1"] : closed.addressesOf(url)),
    avoid: closed.avoid.bind(closed),
  };
}

/**
 * Returns HTML with all ways in which a page can contact a host without a click. Its script adds to the array `tries`
 * one promise for each request; the promise settles when the request ends.
 */
function attempts(host: string): string {
  return `
    <img src="http://${host}/img"><script src="http://${host}/script"></script>
    <link rel="stylesheet" href="http://${host}/style"><link rel="preconnect" href="http://${host}/">
    <link rel="preload" as="fetch" href="http://${host}/preload"><video src="http://${host}/video"></video>
    <iframe src="http://${host}/frame"></iframe><object data="http://${host}/object"></object>
    <iframe src="/hop?to=${encodeURIComponent(`http://${host}/redirected`)}"></iframe>
    <script>{
      const end = (start) => tries.push(new Promise((resolve) => start(resolve)));
      tries.push(fetch("http://${host}/fetch", { mode: "no-cors" }).catch(String));
      tries.push(fetch("https://${host}/secure", { mode: "no-cors" }).catch(String));
      end((done) => { const socket = new WebSocket("ws://${host}/ws"); socket.onopen = socket.onerror = done; });
      end((done) => { const events = new EventSource("http://${host}/events"); events.onopen = events.onerror = done; });
      const work = 'fetch("http://${host}/worker", { mode: "no-cors" }).catch(String).then(() => postMessage(1))';
      end((done) => { new Worker(URL.createObjectURL(new Blob([work]))).onmessage = done; });
      navigator.sendBeacon("http://${host}/beacon", "x");
      const turn = { urls: "turn:${host}?transport=tcp", username: "a", credential: "b" };
      const peer = new RTCPeerConnection({ iceServers: [{ urls: "stun:${host}" }, turn] });
      peer.createDataChannel("x");
      tries.push(peer.createOffer().then((offer) => peer.setLocalDescription(offer)));
      end((done) => { peer.onicegatheringstatechange = () => peer.iceGatheringState === "complete" && done(); });
    }</script>`;
}

/** Script with requests that the egress policy allows. The page shows the results of the requests. */
const ITS_OWN = `<p id="said"></p><script>
  const echo = new Promise((resolve) => {
    const socket = new WebSocket("ws://" + location.host + "/ws");
    socket.onopen = () => socket.send("hello");
    socket.onmessage = ({ data }) => resolve(data);
  });
  const own = fetch("/own").then((answer) => answer.text());
  const tried = Promise.all(tries).then(() => "all tried");
  Promise.all([own, echo, tried]).then((all) => { said.textContent = all.join(", "); });
</script>`;

test("Chromium sends no request of a page to a forbidden address, and sends every request to the page's own site", async () => {
  let reached = 0;
  const port = await listen((socket) => {
    reached++;
    socket.destroy();
  });
  const hosts = ["127.0.0.1", "localhost", "[::1]", "[::ffff:127.0.0.1]"].map((name) => `${name}:${port}`);
  const site = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch(request, server) {
      const { pathname, searchParams } = new URL(request.url);
      if (server.upgrade(request)) return undefined;
      if (pathname === "/hop") return Response.redirect(searchParams.get("to") ?? "", 302);
      if (pathname === "/own") return new Response("own");
      const body = `<script>const tries = [];</script>${hosts.map(attempts).join("")}${ITS_OWN}`;
      return new Response(body, { headers: { "content-type": "text/html" } });
    },
    websocket: { message: (socket, message) => void socket.send(`echo ${message}`) },
  });
  closing.push(() => site.stop(true));
  const proxy = await startEgressProxy({ destinations: only(site.port ?? 0) });
  closing.push(proxy.close);
  const { browser, folder } = await testBrowser({ proxy: async () => proxy });
  closing.push(() => rm(folder, { recursive: true }));
  closing.push(() => browser.close());
  const rendered = await browser.openJob().render(`http://127.0.0.1:${site.port}/`, { signal });
  expect(documentOf(rendered).text).toContain("own, echo hello, all tried");
  expect(reached).toBe(0);
  for (const host of hosts) {
    expect(proxy.failureOf(`http://${host}/`)).toMatchObject({ code: "egress.refused" });
  }
});

test("Chromium reaches an HTTPS site and its WebSocket by name, and the egress policy applies to its redirects", async () => {
  const folder = join(import.meta.dir, "../../sites/certificate");
  const site = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    tls: {
      cert: await readFile(join(folder, "secure.test.pem")),
      key: await readFile(join(folder, "secure.test.key")),
    },
    fetch(request, server) {
      if (server.upgrade(request)) return undefined;
      const to = new URL(request.url).searchParams.get("to");
      return to
        ? Response.redirect(to, 302)
        : new Response("<title>Safe</title>", { headers: { "content-type": "text/html" } });
    },
    websocket: { message: (socket, message) => void socket.send(`echo ${message}`) },
  });
  closing.push(() => site.stop(true));
  let asked = 0;
  // DNS rebinding: the owner of the host name changes its address to that of the metadata service after the
  // page has loaded.
  const lookup = async () => (asked++ === 0 ? ["127.0.0.1"] : ["169.254.169.254"]);
  const proxy = await proxyOf({ lookup });
  const { path } = (await findChromium()) ?? {};
  const { server, username, password } = proxy;
  const browser = await chromium.launch({
    ...(path === undefined ? {} : { executablePath: path }),
    proxy: { server, username, password },
  });
  closing.push(() => browser.close());
  const page = await browser.newPage({ ignoreHTTPSErrors: true });
  const start = `https://secure.test:${site.port}/`;
  await page.goto(start);
  expect(await page.title()).toBe("Safe");
  const echo = await page.evaluate(`new Promise((resolve) => {
      const socket = new WebSocket("wss://" + location.host + "/ws");
      socket.onopen = () => socket.send("hello");
      socket.onmessage = ({ data }) => resolve(data);
    })`);
  expect(echo).toBe("echo hello");
  expect(asked).toBe(1);
  const answer = await page.goto(`${start}?to=http://169.254.169.254/latest/`);
  expect([answer?.status(), answer?.headers()["x-cairn-egress"]]).toEqual([403, "egress.refused"]);
  await expect(page.goto(`${start}?to=https://169.254.169.254/latest/`)).rejects.toThrow(
    "ERR_TUNNEL_CONNECTION_FAILED",
  );
  await expect(page.goto("https://other.test/")).rejects.toThrow("ERR_TUNNEL_CONNECTION_FAILED");
  expect(proxy.failureOf("https://other.test/")?.message).toContain("other.test (169.254.169.254)");
});

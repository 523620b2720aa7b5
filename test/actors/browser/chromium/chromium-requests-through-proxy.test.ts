/**
 * Tests that Chromium sends every request through its proxy with credentials, and that a refusal by the proxy
 * is reported.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { rm } from "node:fs/promises";
import type { Browser, JobRenderer } from "../../../../actors/browser/index.ts";
import { createDestinations, type EgressProxy, startEgressProxy } from "../../../../actors/egress/index.ts";
import type { EgressPolicy } from "../../../../machines/egress/egress-policy.ts";
import { html, serveSite } from "../../../sites/test-site-with-given-routes.ts";
import { siteOfTests } from "../../../support/site-for-one-test-file.ts";
import { isFull } from "../../../test-run-tier-and-seed.ts";
import { documentOf, testBrowser } from "../test-browser.ts";

const signal = new AbortController().signal;
const policy: EgressPolicy = { loopback: true, allowPrivate: [] };

let proxy: EgressProxy;
let browser: Browser;
let folder: string;
let job: JobRenderer;

const site = siteOfTests({
  "/": html(
    "Home",
    `<p id="p"></p><script>
        fetch("/call").then((answer) => answer.text()).then((text) => { p.textContent = text; });
      </script>`,
  ),
  "/call": new Response("called", { headers: { "content-type": "text/plain" } }),
  "/to-metadata": new Response(null, {
    status: 302,
    headers: { location: "http://169.254.169.254/latest/meta-data/" },
  }),
  "/socket": html(
    "Socket",
    `<p id="p">…</p><script>
        const socket = new WebSocket("ws://10.255.0.1:1/");
        socket.onerror = () => { p.textContent = "no socket"; };
      </script>`,
  ),
});

beforeAll(async () => {
  proxy = await startEgressProxy({ destinations: createDestinations({ policy }) });
  ({ browser, folder } = await testBrowser({ proxy: async () => proxy }));
  job = browser.openJob();
});

afterAll(async () => {
  await browser.close();
  await proxy.close();
  await rm(folder, { recursive: true });
});

describe("a browser with a proxy", () => {
  test("sends all requests of all pages through the proxy, even those to loopback", async () => {
    const other = browser.openJob();
    const renders = [job, job, other].map((one) => one.render(site.url("/"), { signal }));
    for (const outcome of await Promise.all(renders)) expect(documentOf(outcome).text).toContain(">called<");
    // The credentials of the proxy are sent only to the proxy and not to the site.
    for (const { headers } of site.log) expect(headers.has("proxy-authorization")).toBe(false);
  });

  test.each([
    "http://169.254.169.254/latest/meta-data/",
    "https://169.254.169.254/latest/meta-data/",
    "http://10.255.0.1/",
  ])("reports why the proxy has refused the address %s", async (url) => {
    expect(await job.render(url, { signal })).toMatchObject({
      kind: "failed",
      code: "egress.refused",
      retryable: false,
    });
  });

  test("refuses a forbidden address to which an allowed page redirects", async () => {
    expect(await job.render(site.url("/to-metadata"), { signal })).toMatchObject({
      kind: "failed",
      code: "egress.refused",
    });
    expect(documentOf(await job.render(site.url("/socket"), { signal })).text).toContain(">no socket<");
  });

  test("reports an unknown host", async () => {
    const closed = serveSite({});
    const url = closed.url("/");
    await closed.stop();
    expect(await job.render(url, { signal })).toMatchObject({ kind: "failed", retryable: true });
    expect(await job.render(url.replace("http:", "https:"), { signal })).toMatchObject({
      kind: "failed",
      code: "egress.unreachable",
      retryable: true,
    });
  });
});

test.if(isFull)("no request of Chromium bypasses a proxy that does not answer", async () => {
  const { server, username, password } = proxy;
  await proxy.close();
  const alone = await testBrowser({ proxy: async () => ({ server, username, password }) });
  const before = site.requests.length;
  expect((await alone.browser.openJob().render(site.url("/"), { signal })).kind).toBe("failed");
  expect(site.requests.length).toBe(before);
  await alone.browser.close();
  await rm(alone.folder, { recursive: true });
});

/**
 * Tests the outputs of sessions of a real Cairn over HTTP: extracted data, logs, files, and screenshots taken
 * by actions.
 */
import { beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { html } from "../../sites/test-site-with-given-routes.ts";
import { siteOfTests } from "../../support/site-for-one-test-file.ts";
import { isFull } from "../../test-run-tier-and-seed.ts";
import { cairnOfTests } from "../support/shared-test-cairn.ts";

setDefaultTimeout(120_000);
const REPORT = "x".repeat(700_000);

const site = siteOfTests({
  "/": html(
    "Shop",
    `<main><h1>Prices</h1><p>All that is sold.</p><a href="/next">Next</a><a href="https://example.com/">Away</a>
       <table><tr><th>Item</th><th>Price</th></tr><tr><td>Tea</td><td>2.50</td></tr></table>
       <a href="/report">Report</a></main><script>console.log("ready")</script>`,
  ),
  "/report": new Response(REPORT, {
    headers: { "content-disposition": "attachment; filename*=UTF-8''r%C3%A9port.txt" },
  }),
});

const cairn = await cairnOfTests();

beforeAll(async () => {
  await cairn.call("start_browser_session", { room_name: "a/b", initial_url: site.url("/") });
});

const act = (action_type: string, params = {}) =>
  cairn.call("execute_action", { room_name: "a/b", action_type, params });

test("extract, as a tool and as an action, returns content, links and tables, and reports when it needs a model", async () => {
  const { body } = await cairn.call("extract", { room_name: "a/b" });
  expect(body).toMatchObject({
    url: site.url("/"),
    title: "Shop",
    language: "en",
    next_offset: null,
    tables: [{ caption: null, columns: ["Item", "Price"], rows: [["Tea", "2.50"]], left_out: 0 }],
  });
  expect(body.content).toContain("# Prices");
  expect(body.links).toContainEqual({ url: site.url("/next"), text: "Next", external: false });
  expect(body.links).toContainEqual({ url: "https://example.com/", text: "Away", external: true });
  const tables = await act("extract", { include: ["tables"] });
  expect(tables.body).toMatchObject({ success: true, data: { tables: body.tables } });
  expect(tables.body.data.content).toBeUndefined();
  const { body: part } = await cairn.call("extract", {
    room_name: "a/b",
    include: ["content"],
    max_characters: 100,
    offset: 2,
  });
  expect(part.content).toBe(body.content.slice(2, 102));
  const schema = { type: "object" };
  expect((await cairn.call("extract", { room_name: "a/b", schema })).body.error.code).toBe(
    "session.model_needed",
  );
  expect((await act("extract", { schema })).body).toMatchObject({
    success: false,
    data: { code: "model_needed" },
  });
});

test.if(isFull)(
  "logs of a session are returned, and the screenshot action returns the complete image",
  async () => {
    const { body: log } = await cairn.call("get_console_messages", { room_name: "a/b" });
    expect(log.messages).toMatchObject([{ level: "log", text: "ready" }]);
    const { body: network } = await cairn.call("get_network_log", { room_name: "a/b", type: "document" });
    expect(network.requests).toMatchObject([{ url: site.url("/"), status: 200 }]);
    const shot = await act("screenshot", { full_page: true, highlight: true });
    expect(Buffer.from(shot.body.data.data, "base64").subarray(1, 4).toString()).toBe("PNG");
    const { body } = await cairn.call("analyze_page", {
      room_name: "a/b",
      highlight: true,
      include_left_out: true,
    });
    expect(body.data).toMatchObject({ screenshot: { highlighted: 3 }, left_out: { elements: [], more: 0 } });
  },
);

test.if(isFull)(
  "files of a session can be downloaded completely and deleted, even after the end of the session",
  async () => {
    const given = await act("navigate", { url: site.url("/report") });
    expect(given.body).toMatchObject({ success: true, data: { effect: "download_started" } });
    const pdf = await cairn.call("save_as_pdf", { room_name: "a/b" });
    expect(pdf.body).toMatchObject({ success: true, data: { file: { name: "Shop.pdf" } } });
    await act("wait", { downloads: true, seconds: 20 });
    await cairn.call("close_browser_session", { room_name: "a/b" });
    const { body: list } = await cairn.get("/api/sessions/a%2Fb/downloads");
    expect(list.downloads).toMatchObject([
      { name: "réport.txt", state: "completed", bytes: REPORT.length, kind: "download" },
      { name: "Shop.pdf", kind: "pdf", path: pdf.body.data.path },
    ]);
    const file = await fetch(new URL(list.downloads[0].path, cairn.url));
    expect(file.headers.get("content-disposition")).toContain("filename*=UTF-8''r%C3%A9port.txt");
    expect(await file.text()).toBe(REPORT);
    expect((await fetch(new URL(pdf.body.data.path, cairn.url), { method: "DELETE" })).status).toBe(200);
    expect((await fetch(new URL(pdf.body.data.path, cairn.url))).status).toBe(404);
    expect((await cairn.get("/api/sessions/nobody/downloads")).status).toBe(404);
    expect((await cairn.get("/api/sessions/a%2Fb/downloads/..%2F..%2Fkey")).status).toBe(404);
  },
);

/**
 * Tests the outputs of a session in a real Chromium: logs, files, screenshots with element numbers, and the
 * list of omitted elements.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  consoleRequestSchema,
  networkRequestSchema,
} from "../../../../machines/session/outputs/console-and-network-log-schemas.ts";
import { html, serveSite } from "../../../sites/test-site-with-given-routes.ts";
import { isFull } from "../../../test-run-tier-and-seed.ts";
import { called, type SessionStage, sessionStage } from "./session-in-shared-test-browser.ts";

let stage: SessionStage;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "cairn-files-"));
  const given = (body: string, name: string): Response =>
    new Response(body, { headers: { "content-disposition": `attachment; filename="${name}"` } });
  stage = await sessionStage({
    downloads: join(folder, "room"),
    routes: {
      "/report": given("a,b\n1,2\n", "report.csv"),
      "/odd": given("odd", "../../etc/pass wd.txt"),
      "/missing.js": new Response("no", { status: 404 }),
      "/data": Response.json({ ok: true }),
      "/slow": async () => {
        await Bun.sleep(400);
        return "slow";
      },
    },
  });
});
afterAll(async () => {
  await stage.close();
  await rm(folder, { recursive: true });
});

const consoleLog = (options: object = {}) =>
  stage.session.resources.console(consoleRequestSchema.parse({ room_name: "x", ...options }));
const networkLog = (options: object = {}) =>
  stage.session.resources.network(networkRequestSchema.parse({ room_name: "x", ...options }));

describe("the console of a session", () => {
  test("returns messages of scripts, exceptions and browser warnings, filtered by level and time", async () => {
    const before = consoleLog().next_since;
    await stage.show(
      `<script>console.log("hello", 1); console.info("%s is %d", "it", 4, { a: [1], b: "x" }, [1, 2], null, undefined); console.warn("careful"); console.error("bad"); console.debug("fine");
       setTimeout(() => { throw new Error("broken") })</script><script src="/missing.js"></script>
       <iframe srcdoc="<script>console.info('framed')</script>"></iframe>`,
    );
    await stage.act("wait", { network_idle: true, seconds: 10 });
    const { messages, next_since } = consoleLog({ since: before });
    const said = messages.map(({ level, text }) => `${level} ${text}`);
    for (const one of [
      "log hello 1",
      'info it is 4 {a: Array(1), b: "x"} [1, 2] null undefined',
      "warning careful",
      "error bad",
      "debug fine",
      "info framed",
    ])
      expect(said).toContain(one);
    expect(messages.find(({ source }) => source === "exception")?.text).toContain("broken");
    expect(messages.find(({ source }) => source === "network")).toMatchObject({
      level: "error",
      url: stage.site.url("/missing.js"),
    });
    expect(
      consoleLog({ since: before, level: "warning" }).messages.every(({ level }) =>
        /warning|error/.test(level),
      ),
    ).toBe(true);
    expect(consoleLog({ since: next_since }).messages).toEqual([]);
    expect(consoleLog({ since: before, limit: 1 })).toMatchObject({ left_out: messages.length - 1 });
  });

  test("contains no secret", async () => {
    stage.session.resources.redactor.add("hunter2&co");
    const before = consoleLog().next_since;
    await stage.show(
      `<p>hunter2&amp;co</p><input value="hunter2&amp;co" aria-label="Code"><a href="/?q=hunter2%26co">Go</a><script>
       console.log("it is hunter2&co", "Bearer abcdef.ghi"); fetch("/data?q=hunter2%26co&token=t0p5ecret", { headers: { Authorization: "Basic abc" } })</script>`,
    );
    await stage.act("wait", { network_idle: true, seconds: 10 });
    const analysis = await stage.analyze({ include_text: true, include_left_out: true });
    const reported = JSON.stringify([
      consoleLog({ since: before }),
      networkLog({ include_headers: true, since: before }),
      analysis,
      await stage.session.content(),
      await stage.session.documentHtml(undefined).then((documents) => documents.length),
    ]);
    expect(reported).toContain("********");
    expect(reported).not.toMatch(/hunter2|abcdef|t0p5ecret|Basic abc/);
  });
});

describe("the network log of a session", () => {
  test("returns requests with their outcome, each redirect, and failures", async () => {
    stage.site.routes.set("/hop", new Response(null, { status: 302, headers: { location: "/data" } }));
    const before = networkLog().next_since;
    await stage.show(
      `<img src="/none.png"><script>fetch("/hop"); fetch("http://127.0.0.1:1/").catch(() => {})</script>`,
    );
    await stage.act("wait", { network_idle: true, seconds: 10 });
    const { requests, pending } = networkLog({ since: before });
    const found = (path: string) => requests.filter(({ url }) => new URL(url).pathname === path);
    expect(found("/hop")).toMatchObject([{ status: 302, type: "fetch", state: "done", method: "GET" }]);
    expect(found("/data")).toMatchObject([{ status: 200, mime_type: expect.stringContaining("json") }]);
    expect(found("/none.png")).toMatchObject([{ status: 404, type: "image" }]);
    expect(requests.filter(({ type }) => type === "document").length).toBe(1);
    expect(pending).toBe(0);
    const failed = networkLog({ since: before, failed: true }).requests.map(({ url }) => url);
    expect(failed).toEqual([stage.site.url("/none.png"), "http://127.0.0.1:1/"]);
    const [data] = networkLog({ since: before, url: "/data", include_headers: true }).requests;
    expect(data?.response_headers?.["content-type"]).toContain("json");
  });

  test.if(isFull)("can wait for an idle network, and reports if the network never becomes idle", async () => {
    await stage.show(`<p id="p">-</p><script>
      setTimeout(() => fetch("/slow").then((answer) => answer.text()).then((text) => { p.textContent = text }), 100)</script>`);
    const waited = await stage.act("wait", { network_idle: true, seconds: 20 });
    expect(waited).toMatchObject({ success: true, data: { network_idle: true } });
    expect(await stage.run("p.textContent")).toBe("slow");
    await stage.show(`<script>setInterval(() => fetch("/data"), 50)</script>`);
    expect((await stage.act("wait", { network_idle: true, seconds: 1 })).data).toMatchObject({
      code: "timeout",
    });
  });
});

describe("downloads of a session", () => {
  test.if(isFull)(
    "start by a click or by an address, are listed, and are stored under safe names",
    async () => {
      const data = await stage.show(`<a href="/report">Report</a><a href="/odd" target="_blank">Odd</a>
      <a download="blob.txt" href="data:text/plain,blob">Blob</a>`);
      const index = called(data, "Report").highlight_index;
      const clicked = await stage.act("click", { index });
      expect(clicked.success).toBe(true);
      const opened = await stage.act("navigate", { url: stage.site.url("/report") });
      expect(opened).toMatchObject({
        success: true,
        data: { effect: "download_started", file: { name: "report.csv" } },
      });
      await stage.act("click", { index: called(data, "Odd").highlight_index });
      await stage.act("click", { index: called(data, "Blob").highlight_index });
      const until = performance.now() + 10_000;
      while ((stage.session.resources.downloads?.all().length ?? 0) < 4 && performance.now() < until)
        await stage.session.resources.downloads?.nextChange(500);
      const waited = await stage.act("wait", { downloads: true, seconds: 10 });
      // The cast is safe: each entry of a list of downloads has this shape.
      const files = waited.data.files as { name: string; state: string; bytes: number }[];
      expect(files.map(({ state }) => state)).toEqual(Array(4).fill("completed"));
      expect(files.filter(({ name }) => name === "report.csv").length).toBe(2);
      const listed = (await stage.session.resources.downloads?.files.list()) ?? [];
      expect(listed.map(({ name }) => name).sort()).toEqual(files.map(({ name }) => name).sort());
      for (const file of listed) {
        expect(file.name).not.toMatch(/[/\\\u202E]|^\./);
        const path = stage.session.resources.downloads?.files.path(file) ?? "";
        expect((await stat(path)).mode & 0o777).toBe(0o600);
        expect((await readFile(path)).length).toBe(file.bytes);
      }
      const [first] = listed;
      const { data: bytes, next } =
        (await stage.session.resources.downloads?.files.read(first?.id ?? "", 0)) ?? {};
      expect(Buffer.from(bytes ?? []).toString()).toBe("a,b\n1,2\n");
      expect(next).toBeNull();
      await stage.session.resources.downloads?.remove(first?.id ?? "");
      expect(await readdir(join(folder, "room"))).toHaveLength(4);
      await expect(stage.session.resources.downloads?.files.read(first?.id ?? "", 0)).rejects.toMatchObject({
        code: "download.not_found",
      });
    },
  );

  test("can also be the page itself as a PDF", async () => {
    await stage.show(`<h1>Invoice</h1>`);
    const saved = await stage.act("save_as_pdf", { file_name: "../invoice", paper_format: "Letter" });
    expect(saved).toMatchObject({
      success: true,
      data: { file: { name: "invoice.pdf", mime_type: "application/pdf" } },
    });
    const [file] = stage.session.resources.downloads?.all().toReversed() ?? [];
    if (!file) throw new Error("There is no file.");
    const path = stage.session.resources.downloads?.files.path(file) ?? "";
    expect((await readFile(path)).subarray(0, 5).toString()).toBe("%PDF-");
  });
});

describe("screenshots of a session", () => {
  const sizeOf = (data: string): readonly [number, number] => {
    const png = Buffer.from(data, "base64");
    return [png.readUInt32BE(16), png.readUInt32BE(20)];
  };

  test.if(isFull)("have numbered boxes on request, without a change of the page", async () => {
    await stage.show(`<button style="width:200px;height:60px">One</button><a href="#">Two</a>`);
    const before = await stage.run("document.documentElement.outerHTML");
    const plain = await stage.act("screenshot");
    const numbered = await stage.act("screenshot", { highlight: true });
    expect(numbered.data).toMatchObject({ mime_type: "image/png", highlighted: 2 });
    expect(numbered.data.data).not.toBe(plain.data.data);
    expect(sizeOf(String(numbered.data.data))).toEqual([1_280, 800]);
    const jpeg = await stage.act("screenshot", { highlight: true, format: "jpeg", full_page: true });
    expect(Buffer.from(String(jpeg.data.data), "base64").subarray(0, 2).toString("hex")).toBe("ffd8");
    expect(await stage.run("document.documentElement.outerHTML")).toBe(before);
    const { screenshot } = await stage.analyze({ highlight: true });
    expect(screenshot).toMatchObject({ highlighted: 2 });
  });

  test("show a single element on request, even inside frames", async () => {
    const data = await stage.show(
      `<iframe style="width:300px;height:200px;border:0" srcdoc="<button style='width:120px;height:40px'>In</button>"></iframe>`,
    );
    const shot = await stage.act("screenshot", { index: called(data, "In").highlight_index });
    expect(shot).toMatchObject({ success: true, data: { width: 120, height: 40 } });
    expect(sizeOf(String(shot.data.data))).toEqual([120, 40]);
  });

  test.if(isFull)(
    "can show element numbers in the page itself, until the numbers are switched off",
    async () => {
      const before = await stage.show(`<button>One</button>`);
      const shown = await stage.analyze({ overlay: true });
      expect(await stage.run("document.querySelectorAll('[popover]').length")).toBe(1);
      expect(shown.totalElements).toBe(1);
      const clicked = await stage.act("click", { index: called(before, "One").highlight_index });
      expect(clicked.success).toBe(true);
      expect((await stage.analyze()).totalElements).toBe(1);
      await stage.analyze({ overlay: false });
      expect(await stage.run("document.querySelectorAll('[popover]').length")).toBe(0);
    },
  );
});

test("an analysis lists the elements that it leaves out with the reason, even in frames", async () => {
  const data = await stage.show(
    `<button>Shown</button><button style="display:none">A</button><div style="visibility:hidden"><button>B</button></div>
     <div id="faded" style="opacity:0"><div role="button" tabindex="0">C</div></div><div inert id="off"><button>D</button></div>
     <input type="hidden" name="csrf" value="t0ken"><button style="position:absolute;left:-999px">E</button>
     <div id="menu" hidden><a href="#">F</a></div><button style="width:0;height:0;padding:0;border:0;overflow:hidden"></button>
     <iframe id="inner" srcdoc="<button hidden>G</button>"></iframe>`,
  );
  expect(data.left_out).toBeUndefined();
  const { left_out, totalElements } = await stage.analyze({ include_left_out: true });
  expect(totalElements).toBe(1);
  const reported = left_out?.elements.map(({ text, reason, by, frame }) => [text, reason, by, frame.length]);
  expect(reported).toEqual([
    ["A", "not_rendered", undefined, 0],
    ["B", "invisible", "div", 0],
    ["C", "transparent", "div#faded", 0],
    ["D", "inert", "div#off", 0],
    ["E", "out_of_reach", undefined, 0],
    ["F", "not_rendered", "div#menu", 0],
    ["", "no_size", undefined, 0],
    ["G", "not_rendered", undefined, 1],
  ]);
  expect(JSON.stringify(left_out)).not.toContain("t0ken");
  const few = await stage.analyze({ include_left_out: true, max_tokens: 400 });
  expect((few.left_out?.elements.length ?? 0) + (few.left_out?.more ?? 0)).toBe(few.left_out ? 8 : 0);
});

test.if(isFull)(
  "the HTML of a page includes closed shadow roots and frames of other sites, and the page stays unchanged",
  async () => {
    const other = serveSite({ "/": html("Other", "<p>elsewhere</p>") }, { hostname: "127.0.0.2" });
    try {
      await stage.show(`<noscript>off</noscript><div id="host"></div><iframe src="${other.url("/")}"></iframe>
      <script>host.attachShadow({ mode: "closed" }).innerHTML = "<p>in the closed root</p>"</script>`);
      const before = await stage.run("document.documentElement.outerHTML");
      const [page, frame] = await stage.session.documentHtml(undefined);
      expect(page?.html).toContain("in the closed root");
      expect(page?.html).not.toContain("<noscript");
      expect(frame?.html).toContain("elsewhere");
      expect(await stage.run("document.documentElement.outerHTML")).toBe(before);
    } finally {
      other.stop();
    }
  },
);

test("elements that styles hide are marked in the returned HTML, without a change of the page", async () => {
  await stage.show(
    `<p>Order 7</p><p class="off">This order was deleted</p><p class="unseen">Loading <b>Total 9</b></p>
     <script>new MutationObserver(() => did.push("changed")).observe(document, { subtree: true, attributes: true, childList: true })</script>`,
    "<style>.off { display: none } .unseen { visibility: hidden } .unseen b { visibility: visible }</style>",
  );
  const [page] = await stage.session.documentHtml(undefined);
  expect(page?.html).toContain('<p class="off" data-cairn-hidden="">');
  expect(page?.html).toContain("<b>Total 9</b>");
  expect(page?.html.match(/data-cairn-hidden/g)).toHaveLength(1);
  expect(await stage.run("did")).toEqual([]);
});

// Airflow shows its React pages in a shadow root, and has closed dialogs of Bootstrap beside it.
test("elements that styles hide are marked on a page with shadow roots too", async () => {
  await stage.show(
    `<div class="modal fade off"><h4>User confirmation needed</h4></div><div id="host"><b slot="name">Order 7</b></div>
     <script>host.attachShadow({ mode: "open" }).innerHTML = "<h1>Orders</h1><slot name=name></slot><i id=inner></i>";
       host.shadowRoot.getElementById("inner").attachShadow({ mode: "open" }).innerHTML = "<p>Nested</p>"</script>`,
    "<style>.off { display: none }</style>",
  );
  const [page] = await stage.session.documentHtml(undefined);
  expect(page?.html).toContain('<div class="modal fade off" data-cairn-hidden="">');
  expect(page?.html).toContain('<b slot="name">Order 7</b>');
  expect(page?.html).toMatch(
    /<div id="host"><template shadowrootmode="open"><h1>Orders<\/h1>.*<p>Nested<\/p>/s,
  );
});

// Vue and Angular set only the property `value` or `checked` of a field, and not its HTML attribute.
test("required fields and radio buttons whose value a script has set are marked in the returned HTML", async () => {
  await stage.show(
    `<input name="a" required><input name="b" required><input name="c"><input name="d" type="radio"><input name="e" type="checkbox" required>
     <select name="f" required><option value="">Choose</option><option>Big</option></select><textarea name="g" required></textarea>
     <script>for (const name of ["b", "c", "g"]) document.getElementsByName(name)[0].value = "60";
       document.getElementsByName("d")[0].checked = true; document.getElementsByName("f")[0].value = "Big"</script>`,
  );
  const [page] = await stage.session.documentHtml(undefined);
  const marked = page?.html.matchAll(/name="(.)"[^>]* data-cairn-filled=""/g) ?? [];
  expect([...marked].map(([, name]) => name)).toEqual(["b", "d", "f", "g"]);
});

test("the content of a page does not contain texts of closed dialogs, even if the page only makes them transparent or moves them away", async () => {
  await stage.show(
    `<div class="layer clear"><p>You have unsaved changes</p></div>
     <div class="layer away" role="dialog"><p>Delete the account</p></div>
     <div role="dialog" class="shrunk"><p>Choose a colour</p></div>
     <div class="layer" role="dialog" style="overflow: auto; height: 100px"><p>Open dialog</p><p style="margin-top: 2000px">Its end</p></div>
     <p class="later">Appears when scrolled to</p><p>Shown</p>`,
    `<style>.layer { position: fixed; inset: 0 } .clear { opacity: 0; pointer-events: none } .away { transform: translateX(100%) }
      .shrunk { transform: scale(0) } .later { opacity: 0; transition: opacity 1s }</style>`,
  );
  const { screen_content } = { screen_content: JSON.stringify(await stage.session.content()) };
  for (const text of ["Open dialog", "Its end", "Appears when scrolled to", "Shown"])
    expect(screen_content).toContain(text);
  for (const text of ["unsaved changes", "Delete the account", "Choose a colour"])
    expect(screen_content).not.toContain(text);
});

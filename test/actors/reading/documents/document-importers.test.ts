/**
 * Tests importers on documents of installed packages, on documents that the test writes, and on malformed
 * ones.
 */
import { describe, expect, test } from "bun:test";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { documentType, importDocument } from "../../../../actors/reading/documents/index.ts";
import { documentLimits } from "../../../../machines/knowledge/documents/ingested-document-limits.ts";
import { isFull } from "../../../test-run-tier-and-seed.ts";

const ROOT = join(import.meta.dirname, "../../../..");

async function imported(name: string, content: string | Uint8Array, declared = "") {
  const bytes = new Uint8Array(typeof content === "string" ? new TextEncoder().encode(content) : content);
  const mediaType = documentType(name, declared, bytes);
  return await importDocument({ source_id: "s", name, url: "", mediaType, bytes });
}

/** Returns a PDF with one page and one line of text, as small as the format permits. */
function pdfOf(text: string): string {
  const stream = `BT /F1 24 Tf 72 700 Td (${text}) Tj ET`;
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
    `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
  ];
  let file = "%PDF-1.4\n";
  const offsets = objects.map((object, at) => {
    const offset = file.length;
    file += `${at + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const table = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
  const end = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}`;
  return `${file}${end}trailer << /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${file.length}\n%%EOF`;
}

const VTT = `WEBVTT

NOTE made for a test

1
00:00:01.000 --> 00:00:04.000
<v Ann>Welcome. First we click the Login button.

00:00:04.500 --> 00:00:09.000 align:start
Then type your name into the Username field,
and press Continue.
`;

describe("importers of documents", () => {
  test("read the manuals and changelogs of packages as passages with their headings", async () => {
    const files = [
      "elysia/README.md",
      "zod/README.md",
      "marked/README.md",
      "@modelcontextprotocol/sdk/README.md",
    ];
    for (const file of files) {
      const text = await readFile(join(ROOT, "node_modules", file), "utf8");
      const { passages, kind } = await imported(file, text);
      expect(kind).toBe("markdown");
      expect(passages.length).toBeGreaterThan(0);
      for (const { content } of passages) {
        expect(content.length).toBeLessThanOrEqual(documentLimits.passage + 200);
        expect(text.replace(/\s+/g, "")).toContain(content.slice(0, 40).replace(/\s+/g, ""));
      }
    }
  });

  test("split Markdown at headings, and ignore headings in code", async () => {
    const { title, passages } = await imported(
      "guide.md",
      "---\ntitle: The guide\n---\n# Guide\nHello.\n\n## Install\n```sh\n# not a heading\nnpm install\n```\n\nUnderlined\n----------\nText.",
    );
    expect(title).toBe("The guide");
    expect(passages.map(({ headings }) => headings)).toEqual([
      ["Guide"],
      ["Guide", "Install"],
      ["Guide", "Underlined"],
    ]);
    expect(passages[1]?.content).toContain("# not a heading");
  });

  test("read HTML as its main content", async () => {
    const { kind, title, passages } = await imported(
      "page.html",
      "<!doctype html><title>Orders</title><nav><a href=/x>Home</a></nav><main><h1>Orders</h1><p>How to cancel an order.</p></main>",
    );
    expect(kind).toBe("html");
    expect(title).toBe("Orders");
    expect(passages.map(({ content }) => content).join(" ")).toContain("How to cancel an order.");
  });

  test("read HTML with its videos: their files, and the tracks that contain speech", async () => {
    const { videos } = await imported(
      "films.html",
      `<!doctype html><title>Films</title><main><p>Two films and a song.</p>
       <!-- <video src="old.mp4"></video> -->
       <video poster=a.png><source src="one.webm"><source src='one.mp4?a=1&amp;b=2'>
         <track kind=chapters src=chapters.vtt><track src=one.vtt></video>
       <video src=two.mp4></video><audio src=song.mp3></audio></main>`,
    );
    const at = (path: string) => `http://document.invalid/${path}`;
    expect(videos).toEqual([
      { files: [at("one.webm"), at("one.mp4?a=1&b=2")], tracks: [at("one.vtt")] },
      { files: [at("two.mp4")], tracks: [] },
    ]);
  });

  test("read a PDF from a buffer, in which the content of a request arrives", async () => {
    const bytes = Buffer.from(pdfOf("Refunds take three days"));
    const document = { source_id: "s", name: "hello.pdf", url: "", mediaType: "application/pdf", bytes };
    const { passages } = await importDocument(document);
    expect(passages).toHaveLength(1);
  });

  test("read PDF page by page", async () => {
    const { kind, passages } = await imported("hello.pdf", pdfOf("Refunds take three days"));
    expect(kind).toBe("pdf");
    expect(passages).toEqual([
      { headings: [], content: "Refunds take three days", location: "page 1", fragment: "page=1" },
    ]);
  });

  test("read transcripts as passages with times, and the described actions as steps of a task", async () => {
    const srt = VTT.replace(/^WEBVTT\n\nNOTE made for a test\n\n/, "").replace(/\.(\d{3})/g, ",$1");
    const plain =
      "00:01 Welcome. First we click the Login button.\n00:04 Then type your name into the Username field,\nand press Continue.\n00:09 Bye.";
    const sbv =
      "0:00:01.000,0:00:04.000\nWelcome. First we click the Login button.\n\n0:00:04.500,0:00:09.000\nThen type your name into the Username field,\nand press Continue.\n";
    const lyrics = plain.replace(/^(00:\d\d) /gm, "[$1.00] ");
    for (const [name, content] of [
      ["a.vtt", VTT],
      ["a.srt", srt],
      ["a.sbv", sbv],
      ["sbv.txt", sbv],
      ["talk.txt", plain],
      ["talk.lrc", lyrics],
    ] as const) {
      const { kind, passages, tasks, content_type } = await imported(name, content);
      expect([name, kind, content_type]).toEqual([name, "transcript", "video_transcript"]);
      expect(passages[0]?.location).toBe("00:00:01");
      expect(tasks[0]?.steps.map(({ action }) => [action.action_type, action.target])).toEqual([
        ["click", "Login"],
        ["type", "Username"],
        ["click", "Continue"],
      ]);
    }
  });

  test("read only the files of its own video from a `video` element that has no end tag", async () => {
    const { videos } = await imported(
      "a.html",
      `<p>Two videos</p><video src=one.mp4><p>Then</p>
       <video><source src=two.mp4><track src=two.vtt></video><audio src=song.mp3>`,
    );
    const address = (name: string) => `http://document.invalid/${name}`;
    expect(videos).toEqual([
      { files: [address("one.mp4")], tracks: [] },
      { files: [address("two.mp4")], tracks: [address("two.vtt")] },
    ]);
  });

  test("decode the character references of transcripts (&eacute;, &#39;)", async () => {
    const { passages } = await imported(
      "a.vtt",
      "WEBVTT\n\n00:01.000 --> 00:04.000\n<v Ada>The caf&eacute;&nbsp;isn&#39;t&lrm; open &amp; quiet.\n",
    );
    expect(passages.map(({ content }) => content)).toEqual(["The café isn't open & quiet."]);
    const address = "Open https://shop.test/?a=1&region=2&copy=3.";
    const { passages: addresses } = await imported("a.srt", `1\n00:00:01,000 --> 00:00:04,000\n${address}\n`);
    expect(addresses.map(({ content }) => content)).toEqual([address]);
  });

  test.if(isFull)("read OpenAPI and Swagger documents of packages, in YAML and JSON", async () => {
    const fixtures = "node_modules/@redocly/openapi-core/src/__tests__/fixtures";
    const files = ["gateway/openapi.yaml", `${fixtures}/lint/openapi.yaml`];
    for (const file of files) {
      const { kind, passages, content_type } = await imported(file, await readFile(join(ROOT, file), "utf8"));
      expect([file, kind, content_type]).toEqual([file, "openapi", "api_docs"]);
      expect(passages.length).toBeGreaterThan(0);
    }
    const swagger = {
      swagger: "2.0",
      info: { title: "Pets" },
      paths: {
        "/pets/{id}": {
          get: { summary: "One pet", parameters: [{ $ref: "#/parameters/Id" }], responses: {} },
        },
      },
      parameters: { Id: { name: "id", in: "path", required: true, description: "Its number" } },
    };
    const { passages } = await imported("pets.json", JSON.stringify(swagger));
    expect(passages).toEqual([
      {
        headings: ["Pets", "One pet"],
        content: "GET /pets/{id}\nOne pet\nParameter id (path, required): Its number",
        location: "#/paths/~1pets~1{id}/get",
      },
    ]);
  });

  test("read numbered steps as a task with variables", async () => {
    const { tasks } = await imported(
      "howto.md",
      '# Invite a person\n1. Open **Team settings**.\n2. Click "Invite".\n3. Enter the address in the **Email** field.\n4. Press `Send`.\n\n# Facts\n1. Red\n2. Green\n',
    );
    expect(tasks.map(({ name }) => name)).toEqual(["Invite a person"]);
    expect(tasks[0]?.steps.map(({ action }) => [action.action_type, action.target])).toEqual([
      ["navigate", "Team settings"],
      ["click", "Invite"],
      ["type", "Email"],
      ["click", "Send"],
    ]);
    expect(tasks[0]?.variables).toEqual([{ name: "email", label: "Email", type: "", required: true }]);
  });

  test("refuse malformed documents with a typed error", async () => {
    const broken: readonly (readonly [string, string | Uint8Array, string])[] = [
      ["empty.md", "", "document.unreadable"],
      ["binary.txt", new Uint8Array([80, 75, 0, 0, 0, 1, 2]), "document.unreadable"],
      ["cut.pdf", "%PDF-1.4\nnothing here", "document.unreadable"],
      ["no-head.vtt", "00:00:01.000 --> 00:00:02.000\nHi", "document.unreadable"],
      ["no-cues.vtt", "WEBVTT\n\nNOTE nothing", "document.unreadable"],
      ["no-times.srt", "1\nHello\n", "document.unreadable"],
      ["no-times.sbv", "Hello\n", "document.unreadable"],
      ["empty.txt", " \n", "document.unreadable"],
      ["no-element.html", "Hello", "document.unreadable"],
      ["no-text.html", "<!doctype html><title></title><main></main>", "document.unreadable"],
      ["cut.json", '{"openapi": "3.1.0", "paths": {"/a": ', "document.unreadable"],
      ["no-paths.yaml", "openapi: 3.1.0\ninfo:\n  title: x\n", "document.unreadable"],
      ["bad.yaml", "openapi: 3.1.0\npaths: [}\n", "document.unreadable"],
      ["recording.json", '{"recording_id": "r", "steps": 3}', "document.unreadable"],
      ["map.json", '{"format": "cairn-map", "version": 9}', "document.unreadable"],
      ["other.json", '{"a": 1}', "document.unsupported_type"],
      ["program.exe", new Uint8Array([77, 90, 0, 0]), "document.unsupported_type"],
    ];
    for (const [name, content, code] of broken)
      await expect(imported(name, content), name).rejects.toMatchObject({ code });
  });
});

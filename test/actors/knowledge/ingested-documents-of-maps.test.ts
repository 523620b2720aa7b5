/**
 * Tests the documents of a map: they are stored with their origin, linked to screens, replaced and removed. A
 * document that cannot be read leaves nothing in the map.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { DocumentService } from "../../../actors/knowledge/ingested-document-service.ts";
import { createReader } from "../../../actors/reading/index.ts";
import { urlKey } from "../../../machines/exploration/crawl/normalise-url.ts";
import type { GivenDocument } from "../../../machines/knowledge/documents/document-ingest-schemas.ts";
import { screenIdOf } from "../../../machines/knowledge/screens/screen-id.ts";
import { destinations } from "../../sites/egress-policy-for-tests.ts";
import { html, type ScriptedSite, serveSite } from "../../sites/test-site-with-given-routes.ts";
import { isFull } from "../../test-run-tier-and-seed.ts";
import { Town, until } from "./explorations-and-maps-with-memory-store.ts";
import { shop } from "./shop-test-site.ts";

const MAP = "shop";
const GUIDE = `# Shop guide

## Finding an order
The Your orders page has a form. Type the number into **Order number**.

## History
The shop began as a conversational experiment.
`;

describe("the documents of a map", () => {
  let town: Town;
  let site: ScriptedSite;
  const reader = createReader({ userAgent: "Cairn/test", destinations });

  beforeAll(async () => {
    town = await Town.start();
    site = shop();
    await town.explore("shop", site.url("/"), MAP);
  });
  afterAll(async () => {
    reader.close();
    await site.stop();
    await town.stop();
  });

  /** Returns a document service for the current actor system, because a test may restart the actor system. */
  const documents = (): DocumentService =>
    new DocumentService(town.cairn, town.store, { loopback: true, allowPrivate: [] }, reader, async () => {
      throw new Error("No map file is imported here.");
    });
  const file = (name: string, text: string): GivenDocument => ({
    knowledge_id: MAP,
    name,
    bytes: new TextEncoder().encode(text),
  });
  const hits = async (query: string) => {
    const { data } = await town.query(MAP, "search", { query, top_k: 20 });
    return (data as { results: { kind: string; id: string; title: string }[] }).results;
  };

  test("consist of passages that are classified, found together with pages, and linked to the screens they name", async () => {
    const { sources } = await documents().upload(file("guide.md", GUIDE));
    expect(sources).toMatchObject([
      {
        kind: "markdown",
        title: "Shop guide",
        status: "ready",
        chunks: 2,
        statistics: {
          web_ui_screens: 1,
          documentation_screens: 1,
          actionable_screens: 1,
          non_actionable_screens: 1,
        },
      },
    ]);
    const [passage] = (await hits("finding an order by its number")).filter(({ kind }) => kind === "passage");
    expect(passage?.title).toBe("Finding an order");
    const { chunks } = await documents().chunks(MAP, sources[0]?.source_id ?? "", undefined);
    expect(chunks[0]?.screen_ids).toEqual([screenIdOf(urlKey(site.url("/orders/")))]);
    expect(chunks.map(({ location }) => location)).toEqual(["line 4", "line 7"]);
  });

  test("replace their passages when they are ingested again", async () => {
    await documents().upload(file("guide.md", "# Shop guide\n\nWalruses are welcome on this page."));
    expect((await hits("walruses")).map(({ kind }) => kind)).toEqual(["passage"]);
    expect((await hits("conversational experiment")).filter(({ kind }) => kind === "passage")).toEqual([]);
    expect((await documents().list(MAP)).sources).toHaveLength(1);
  });

  test("are not stored at all, not even partly, if they are invalid", async () => {
    const before = await documents().list(MAP);
    const broken = {
      "empty.md": "",
      "empty.html": "",
      "binary.txt": "PK\u0000\u0000walrus",
      "bad.pdf": "%PDF-1.4 nothing",
      "bad.vtt": "WEBVTT\n\nNOTE no cue",
      "bad.srt": "no time",
      "openapi.yaml": "openapi: 3.1.0\npaths: [}\n",
      "recording.json": '{"recording_id": "r", "steps": 3}',
      "map.json": '{"format": "cairn-map", "version": 9}',
    };
    for (const [name, text] of Object.entries(broken))
      await expect(
        documents().upload({ ...file(name, text), knowledge_id: "fresh" }),
        name,
      ).rejects.toMatchObject({ code: "document.unreadable" });
    await expect(
      documents().upload({ ...file("film.mp4", "x"), knowledge_id: "fresh" }),
    ).rejects.toMatchObject({
      code: "document.transcript_needed",
    });
    expect(await documents().list(MAP)).toEqual(before);
    expect(await town.store.maps.get("fresh")).toBeUndefined();
  });

  test.if(isFull)(
    "include the transcript of a video: from the track of its page, or from the file next to it",
    async () => {
      const vtt = "WEBVTT\n\n00:00:01.000 --> 00:00:05.000\nClick Help, then open Settings.\n";
      const films = serveSite({
        "/page.html": new Response(
          '<!doctype html><title>Tour</title><main><video src="tour.mp4"><track src="tour.vtt"></video></main>',
          { headers: { "content-type": "text/html" } },
        ),
        "/tour.vtt": new Response(vtt, { headers: { "content-type": "text/vtt" } }),
        "/tour.mp4": new Response("film", { headers: { "content-type": "video/mp4" } }),
        "/silent.mp4": new Response("film", { headers: { "content-type": "video/mp4" } }),
        "/beside.html": html("Film", '<p>A film about kiwis.</p><video><source src="tour.mp4"></video>'),
        "/silent.html": html("Film", '<p>A silent film about emus.</p><video src="silent.mp4"></video>'),
        "/lost.html": html("Film", '<p>A film about moas.</p><video><track src="lost.vtt"></video>'),
        "/only.html": html("", '<video src="silent.mp4"></video>'),
      });
      const ingest = (path: string) =>
        documents().ingest({ knowledge_id: MAP, url: films.url(path), encoding: "text" });
      for (const path of ["/page.html", "/tour.mp4"]) {
        const { sources } = await ingest(path);
        expect(sources.map(({ kind, tasks }) => [kind, tasks])).toEqual([["transcript", 1]]);
      }
      const film = await ingest("/beside.html");
      expect(film.sources.map(({ kind }) => kind)).toEqual(["html", "transcript"]);
      expect(film.problems).toEqual([]);
      for (const path of ["/silent.mp4", "/only.html"])
        await expect(ingest(path)).rejects.toMatchObject({ code: "document.transcript_needed" });
      // The text of a page is stored, even if the transcript of its video is missing.
      for (const [path, code] of [
        ["/silent.html", "document.transcript_needed"],
        ["/lost.html", "reading.http_404"],
      ] as const) {
        const { sources, problems } = await ingest(path);
        expect([path, ...sources.map(({ kind }) => kind)]).toEqual([path, "html"]);
        expect(problems).toMatchObject([{ code }]);
      }
      await expect(ingest("/absent.md")).rejects.toMatchObject({ code: "reading.http_404" });
      await films.stop();
    },
  );

  test("can be ingested again after a crash has interrupted the ingest, and can be removed", async () => {
    await town.restart();
    const { sources } = await documents().upload(file("notes.txt", "The quokka form is on the page."));
    const [source] = sources;
    await town.restart();
    expect((await hits("quokka")).map(({ kind }) => kind)).toEqual(["passage"]);
    await documents().remove(MAP, source?.source_id ?? "");
    await until(async () => (await hits("quokka")).length === 0);
    await expect(documents().remove(MAP, "none")).rejects.toMatchObject({ code: "document.not_found" });
  });
});

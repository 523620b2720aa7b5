/**
 * Tests a page with tens of thousands of links, such as an archive. Its rows and edges are many times more
 * than the database accepts in one transaction.
 */
import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { html, serveSite } from "../../sites/test-site-with-given-routes.ts";
import { Cairn, dataFolder } from "../support/cairn-test-process.ts";
import { JobWatch } from "../support/check-counts-of-running-exploration.ts";

setDefaultTimeout(180_000);
const LINKS = 30_000;
const PAGES = 5;

const links = Array.from({ length: LINKS }, (_, n) => `<li><a href="/entry/${n}.html">Entry ${n}</a>`);
const list = html("All entries", `<h1>All entries</h1><ul>${links.join("")}</ul>`);
const site = serveSite({
  "/": () => list,
  "*": ({ url }) => html(`Entry ${url}`, `<h1>${url}</h1><p>Nothing but ${url}.</p>`),
});
const data = await dataFolder();
const cairn = await Cairn.start({ data: data.path });

afterAll(async () => {
  await cairn.stop();
  await data.remove();
  await site.stop();
});

test("a page with tens of thousands of links is explored and searchable, and the database stays usable", async () => {
  const watch = new JobWatch("wide");
  const body = { start_url: site.url("/"), max_pages: PAGES, job_id: "wide", knowledge_id: "wide" };
  expect((await cairn.post("/api/knowledge/explore/start", body)).status).toBe(200);
  const { status, progress } = await watch.follow(cairn);
  expect(status).toBe("completed");
  expect(progress).toMatchObject({ completed: PAGES, searchable: PAGES });
  expect(watch.contradictions).toEqual([]);
  // The test searches for the last link of the page, because the database writes that link last.
  const asked = { instruction_type: "navigate_to_screen", target: `Entry ${LINKS - 1}` };
  expect(await cairn.post("/api/knowledge/wide/query", asked)).toMatchObject({ status: 200 });
  const map = await cairn.get("/api/knowledge/wide");
  expect(JSON.stringify(map.body)).toContain(`"transitions":${LINKS}`);
});

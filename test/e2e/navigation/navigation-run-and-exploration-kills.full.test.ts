/**
 * Tests navigation runs and interactive explorations whose process is killed. The result must be the same as
 * without kills, and nothing may be done twice.
 */
import { expect, setDefaultTimeout, test } from "bun:test";
import { html, type ScriptedSite, serveSite } from "../../sites/test-site-with-given-routes.ts";
import { interactiveSite } from "../explorations/tabs-and-dialogs-test-site.ts";
import { Cairn, dataFolder } from "../support/cairn-test-process.ts";

setDefaultTimeout(180_000);
const KILLS = 5;
const THREADS = 12;
/**
 * The site delays each page by this number of milliseconds. A run is then still in progress when it is
 * killed.
 */
const SLOW = 60;

function slowForum(): ScriptedSite {
  const post = (author: string, text: string) =>
    `<article class="post"><a class="author" href="/members/${author}">${author}</a> <time datetime="2026-01-02">2 January 2026</time><div class="text"><p>${text}</p></div></article>`;
  const rows = Array.from(
    { length: THREADS },
    (_, at) =>
      `<li class="thread"><h3><a href="/threads/${at}">Stone number ${at} of the hill</a></h3><span>2 replies</span></li>`,
  );
  return serveSite({
    "/forum": html(
      "Forum of stones",
      `<main><h1>Forum of stones</h1><ul class="threads">${rows.join("")}</ul></main>`,
    ),
    "*": async (request) => {
      await Bun.sleep(SLOW);
      const at = /^\/threads\/(\d+)$/.exec(new URL(request.url).pathname)?.[1];
      if (at === undefined) return new Response("no", { status: 404 });
      const posts = [
        post("ada", `The stone ${at} is heavy and old.`),
        post("bert", `I saw the stone ${at} there, too.`),
      ];
      return html(
        `Stone ${at}`,
        `<main><h1>Stone ${at}</h1>${posts.join("")}<textarea name="text"></textarea></main>`,
      );
    },
  });
}

test("a navigation run (an answer from web pages) that is killed repeatedly finds all articles, and reads only interrupted pages twice", async () => {
  const site = slowForum();
  const data = await dataFolder();
  const env = { CAIRN_WORKERS: "1" };
  let cairn = await Cairn.start({ data: data.path, env });
  await cairn.post("/api/navigate", {
    run_id: "killed",
    prompt: "What do people say about the stone",
    seed_links: [site.url("/forum")],
    render: "http",
    max_articles: 50,
    max_seconds: 600,
  });
  for (let kill = 0; kill < KILLS; kill++) {
    const before = site.requests.length;
    while (site.requests.length < before + 2) await Bun.sleep(5);
    await cairn.kill();
    cairn = await Cairn.start({ data: data.path, env });
  }
  let result = await cairn.get("/api/navigate/killed");
  while (result.body.status === "running") {
    await Bun.sleep(100);
    result = await cairn.get("/api/navigate/killed");
  }
  expect(result.body).toMatchObject({ status: "completed", stopped_reason: "no_more_pages" });
  expect(result.body.articles.map(({ title }: { title: string }) => title).sort()).toEqual(
    Array.from({ length: THREADS }, (_, at) => `Stone ${at}`).sort(),
  );
  const pages = site.requests.filter((path) => path !== "/robots.txt");
  const again = pages.length - new Set(pages).size;
  expect(again).toBeLessThanOrEqual(KILLS);
  await cairn.stop();
  await data.remove();
  await site.stop();
});

async function screensAfter(kills: number): Promise<readonly string[]> {
  const site = interactiveSite();
  const data = await dataFolder();
  const env = { CAIRN_WORKERS: "1" };
  let cairn = await Cairn.start({ data: data.path, env });
  await cairn.call("start_knowledge_exploration", {
    start_url: site.url("/"),
    mode: "interactive",
    exclude: ["/logout"],
    knowledge_id: "app",
    job_id: "press",
  });
  for (let kill = 0; kill < kills; kill++) {
    await Bun.sleep(300 + 250 * kill);
    await cairn.kill();
    cairn = await Cairn.start({ data: data.path, env });
  }
  await cairn.call("wait_for_exploration", { job_id: "press" });
  let names: readonly string[] = [];
  for (let same = 0; same < 5; await Bun.sleep(200)) {
    const { body } = await cairn.get("/api/knowledge/app/screens");
    const now = body.screens.map(({ name }: { name: string }) => name).sort();
    same = now.join() === names.join() ? same + 1 : 0;
    names = now;
  }
  expect(
    site.log
      .filter(({ method }) => method !== "GET")
      .map(({ path }) => path)
      .filter((path) => path !== "/graphql"),
  ).toEqual([]);
  await cairn.stop();
  await data.remove();
  await site.stop();
  return names;
}

test("an exploration that presses controls and is killed repeatedly makes the same map, and changes no data", async () => {
  const undisturbed = await screensAfter(0);
  expect(undisturbed).toHaveLength(8);
  expect(await screensAfter(KILLS)).toEqual(undisturbed);
});

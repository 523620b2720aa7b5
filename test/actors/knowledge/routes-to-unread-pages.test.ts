/**
 * Tests routes to pages that an exploration has not read, such as pages beyond its limit. Screens of the map link to
 * these pages.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { html, type ScriptedSite, serveSite } from "../../sites/test-site-with-given-routes.ts";
import { Town } from "./explorations-and-maps-with-memory-store.ts";

const TIMEOUT = 60_000;
const CHAPTERS = Array.from({ length: 12 }, (_, at) => at + 1);

const link = (path: string, text: string) => `<li><a href="${path}">${text}</a></li>`;
const chapterLinks = CHAPTERS.map((at) => link(`/chapters/${at}`, `Chapter ${at}`)).join("");

function manual(): ScriptedSite {
  return serveSite({
    "/": html(
      "Manual",
      `<h1>Manual</h1><ul>${link("/contents", "Contents")}${link("/chapters/11", "What is new")}
       ${link("/licence", "Terms of use")}${link("/items/3/delete", "Delete item 3")}</ul>`,
    ),
    "/contents": html("Contents", `<h1>Contents</h1><ul>${link("/", "Manual")}${chapterLinks}</ul>`),
    "*": (request) => {
      const { pathname } = new URL(request.url);
      return html(
        `Chapter ${pathname}`,
        `<main class="chapter"><h1>Chapter ${pathname.slice(10)}</h1><p>Text.</p>
         <form class="note"><label>Note <input name="note"></label><button>Keep</button></form></main>`,
      );
    },
  });
}

describe("a route to a page that was never read", () => {
  let town: Town;
  let site: ScriptedSite;
  const route = (target: string, from: string | undefined, context = {}) =>
    town.agent("manual", "navigate_to_screen", target, {
      ...(from === undefined ? {} : { current_url: site.url(from) }),
      ...context,
    });

  beforeAll(async () => {
    town = await Town.start();
    site = manual();
    const exclude = ["/chapters/11", "/chapters/12", "/licence", "/items/*"];
    await town.explore("job", site.url("/"), "manual", { exclude });
  }, TIMEOUT);
  afterAll(async () => {
    await site.stop();
    await town.stop();
  });

  test("clicks the link on the nearest screen, not the link on the list of similar pages", async () => {
    const { actions, metadata, expected_result } = await route(site.url("/chapters/11"), "/");
    expect(actions.map(({ description }) => description)).toEqual([
      `Click "What is new" to go to ${site.url("/chapters/11")}`,
    ]);
    expect(actions[0]?.parameters).toMatchObject({ fingerprint: { role: "link", name: "What is new" } });
    expect(metadata).toMatchObject({ unread: true, screen_name: "Chapter" });
    expect(metadata).not.toHaveProperty("by_address");
    expect(expected_result).toMatchObject({ parameters: expect.anything(), instance_id: null });
  });

  test("leads over several screens, and has a lower confidence than the route to a page that was read", async () => {
    const unread = await route(site.url("/chapters/12"), "/");
    const read = await route(site.url("/chapters/7"), "/");
    expect(unread.actions.map(({ parameters }) => parameters.text)).toEqual(["Contents", "Chapter 12"]);
    expect(read.actions.map(({ parameters }) => parameters.text)).toEqual(["Contents", "Chapter 7"]);
    const [least = 0, most = 0] = [unread, read].map(({ metadata }) => Number(metadata.confidence));
    expect(least).toBeGreaterThan(0.75);
    expect(least).toBeLessThan(most);
  });

  test("is found by address and by link text, even if no page that was read has a similar address", async () => {
    for (const target of [site.url("/licence"), "Terms of use"]) {
      const { success, actions, metadata, expected_result } = await route(target, "/contents");
      expect([success, actions.map(({ parameters }) => parameters.text)]).toEqual([
        true,
        ["Manual", "Terms of use"],
      ]);
      expect(metadata).toMatchObject({ unread: true, steps: 2 });
      expect(expected_result).toMatchObject({ screen_id: null, url_patterns: [expect.any(String)] });
    }
  });

  test("opens the address if the screen of the agent is unknown, or if the link failed", async () => {
    const unplaced = await route("Terms of use", undefined);
    expect(unplaced).toMatchObject({
      actions: [{ tool_name: "navigate", parameters: { url: site.url("/licence") } }],
      metadata: { by_address: true, unread: true },
    });
    const { metadata } = await route("Terms of use", "/");
    const avoid = metadata.transitions as string[][];
    expect((await route("Terms of use", "/", { avoid })).metadata).toMatchObject({ by_address: true });
  });

  test("is found by find_screen and marked as unread, by the text of the link, its address, or words of both", async () => {
    for (const target of ["Terms of use", site.url("/licence"), "the licence terms"]) {
      const { success, metadata, expected_result } = await town.agent("manual", "find_screen", target);
      expect([target, success, metadata.unread, metadata.url]).toEqual([
        target,
        true,
        true,
        site.url("/licence"),
      ]);
      expect(expected_result).toMatchObject({ screen_id: null, url_patterns: [expect.any(String)] });
    }
  });

  test("is not found by find_screen as the page that the browser shows", async () => {
    const context = { current_url: site.url("/licence") };
    const { success } = await town.agent("manual", "find_screen", "", context);
    expect(success).toBe(false);
  });

  test("does not exist for a link whose address changes something", async () => {
    expect(await route(site.url("/items/3/delete"), "/")).toMatchObject({
      success: false,
      metadata: { code: "screen.not_found" },
    });
    // The text of the link is on the page "Manual". So the route leads to that page, and does not follow the link.
    expect(await route("Delete item 3", "/contents")).toMatchObject({
      actions: [{ parameters: { text: "Manual" } }],
      metadata: { found_by: "content", screen_name: "Manual", steps: 1 },
    });
  });
});

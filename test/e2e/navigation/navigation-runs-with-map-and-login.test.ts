/**
 * Tests navigation runs that add pages to a map and use it. It also tests runs that read as a signed-in user,
 * by a login recipe or with the cookies of a session.
 */
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { html, type Route } from "../../sites/test-site-with-given-routes.ts";
import { siteOfTests } from "../../support/site-for-one-test-file.ts";
import { isFull } from "../../test-run-tier-and-seed.ts";
import { cairnOfTests } from "../support/shared-test-cairn.ts";
import { untilMapIsIdle } from "../support/wait-for-idle-map.ts";

setDefaultTimeout(90_000);
const PROMPT = "What do people say about Marel in the forum";
const PASSWORD = "grindstone-77";

const DAY = 24 * 60 * 60 * 1_000;
const day = (ago: number) => new Date(Date.now() - ago * DAY).toISOString().slice(0, 10);

const post = (author: string, ago: number, text: string) =>
  `<article class="post"><a class="author" href="/people/${author}">${author}</a> <time datetime="${day(ago)}">${day(ago)}</time><p>${text}</p></article>`;
/** Texts of posts, which are all different because a run removes duplicates. */
const OPINIONS = [
  ["The oil of Marel tastes of grass and pepper.", "Mine was bitter, and the bottle leaked twice."],
  ["Who has seen the new shop of Marel downtown?", "It opens on Friday, says the baker next door."],
  ["Shares of Marel fell again, should one sell?", "Keep them, winter has always been slow there."],
] as const;
const thread = (number: number) => {
  const [first, second] = OPINIONS[number - 1] ?? OPINIONS[0];
  const posts = `${post("ada", 5, first)}${post("bert", 4, second)}`;
  const title = `Marel question ${number}`;
  return html(title, `<main><h1>${title}</h1>${posts}</main><form><textarea name="text"></textarea></form>`);
};
const threads = (base: string, more = "") =>
  `<main><h1>Town forum</h1><ul>${[1, 2, 3].map((number) => `<li><h3><a href="${base}/threads/${number}">Marel question ${number}</a></h3><span>2 replies</span></li>`).join("")}${more}</ul></main>`;

/** Whether the cookie of a request shows that the user is signed in. */
const isSignedIn = (request: Request) => (request.headers.get("cookie") ?? "").includes("member=yes");
const members =
  (page: string): Route =>
  (request) =>
    isSignedIn(request) ? page : new Response(null, { status: 302, headers: { location: "/login" } });
const form = html(
  "Sign in",
  '<main><h1>Sign in</h1><form method="post" action="/login"><label>User <input name="user"></label><label>Password <input type="password" name="password"></label><button>Sign in</button></form></main>',
);

const site = siteOfTests({
  "/": html("Town", '<main><h1>Town</h1><a href="/more">More</a> <a href="/forum">Forum</a></main>'),
  "/more": html("More", "<main><h1>More</h1><p>Opening hours of the town hall.</p></main>"),
  "/forum": html("Town forum", threads("")),
  ...Object.fromEntries([1, 2, 3].map((number) => [`/threads/${number}`, thread(number)])),
  "/login": async (request) => {
    if (request.method === "GET") return form;
    const given = new URLSearchParams(await request.text());
    if (given.get("password") !== PASSWORD) return form;
    const headers = { location: "/inside/forum", "set-cookie": "member=yes; Path=/" };
    return new Response(null, { status: 303, headers });
  },
  "/logout": () =>
    new Response(null, { status: 302, headers: { location: "/", "set-cookie": "member=no; Path=/" } }),
  "/inside/forum": members(
    html(
      "Members forum",
      threads("/inside", '<li><h3><a href="/logout">Marel: log out</a></h3><span>1 reply</span></li>'),
    ),
  ),
  ...Object.fromEntries([1, 2, 3].map((number) => [`/inside/threads/${number}`, members(thread(number))])),
});

const cairn = await cairnOfTests();

async function navigate(seed: string, more: Readonly<Record<string, unknown>>) {
  const before = site.log.length;
  const { status, body } = await cairn.call("navigate_with_intent", {
    prompt: PROMPT,
    seed_links: [site.url(seed)],
    ...more,
  });
  const log = site.log.slice(before).filter(({ path }) => path !== "/robots.txt");
  return {
    status,
    body,
    paths: log.map(({ method, path }) => (method === "GET" ? path : `${method} ${path}`)),
  };
}

const titles = ({ articles }: { readonly articles: readonly { readonly title: string }[] }) =>
  articles.map(({ title }) => title).sort();
const QUESTIONS = ["Marel question 1", "Marel question 2", "Marel question 3"];
const recipe = (password: string) => ({
  url: site.url("/login"),
  fields: [
    { label: "User", value: "ada" },
    { label: "Password", value: password },
  ],
  success: { url: "/inside/forum" },
});

describe("a navigation run with a map", () => {
  test("adds the pages that it reads to the map, and a later run goes directly to a section of that map", async () => {
    const first = await navigate("/", { knowledge_id: "town", render: "http" });
    expect(titles(first.body)).toEqual(QUESTIONS);
    await untilMapIsIdle(cairn, "town");
    const { body: found } = await cairn.post("/api/knowledge/query", {
      query_type: "search",
      params: { query: "shop of Marel downtown" },
      knowledge_id: "town",
    });
    expect(found.data.results[0].url).toBe(site.url("/threads/2"));
    const { body: screens } = await cairn.get("/api/knowledge/town/export");
    expect(screens.screens.map(({ url }: { url: string }) => new URL(url).pathname).sort()).toEqual(
      [...new Set(first.paths)].sort(),
    );

    const lost = await navigate("/more", { render: "http" });
    expect([titles(lost.body), lost.paths]).toEqual([[], ["/more"]]);
    const known = await navigate("/more", { knowledge_id: "town", render: "http" });
    expect(titles(known.body)).toEqual(QUESTIONS);
    expect(known.paths.slice(0, 2)).toEqual(["/more", "/forum"]);
    expect(known.body.decisions[0]).toMatchObject({
      action: "NAVIGATE_TO",
      target_url: site.url("/forum"),
      reasoning: expect.stringContaining("The map has"),
    });
  });
});

describe("a navigation run of a signed-in user", () => {
  test("signs in once by the login recipe, reads every page as a member, and opens no link that signs out", async () => {
    const { body, paths } = await navigate("/inside/forum", { login: recipe(PASSWORD), run_id: "member" });
    expect([titles(body), body.status]).toEqual([QUESTIONS, "completed"]);
    expect(paths.filter((path) => path === "POST /login")).toHaveLength(1);
    expect(paths).not.toContain("/logout");
    // The run stores only the encrypted login recipe. So what Cairn shows about the run must not contain
    // the password.
    const { body: actor } = await cairn.get("/api/actors/navigation/member");
    expect(JSON.stringify([actor, body])).not.toContain(PASSWORD);
    // A repeated request returns the first run. The encrypted login recipes of the two requests differ, but
    // the requests still count as equal.
    const again = await navigate("/inside/forum", { login: recipe(PASSWORD), run_id: "member" });
    expect([again.status, again.paths]).toEqual([200, []]);
  });

  test.if(isFull)("fails with the reason if the login recipe does not work", async () => {
    const { body, paths } = await navigate("/inside/forum", { login: recipe("wrong") });
    expect(body).toMatchObject({ status: "failed", error: { code: "exploration.login_failed" } });
    expect(paths.filter((path) => path.startsWith("/inside"))).toEqual([]);
  });

  test.if(isFull)("uses the cookies of a session, and does not change the session's page", async () => {
    await cairn.call("start_browser_session", { room_name: "desk", login: recipe(PASSWORD) });
    const context = () => cairn.call("get_browser_context", { room_name: "desk" });
    const before = (await context()).body;
    const { body, paths } = await navigate("/inside/forum", { room_name: "desk" });
    expect([titles(body), body.status]).toEqual([QUESTIONS, "completed"]);
    expect(paths.filter((path) => path.includes("log"))).toEqual([]);
    expect((await context()).body.url).toBe(before.url);
    // The parameter `session_id` is an alias of `room_name`.
    const alias = await navigate("/inside/forum", { session_id: "desk", preview: true });
    expect(alias.body.decisions).toMatchObject([{ action: "EXTRACT_LINKS" }]);
  });

  test("is refused for a missing session, and for a login recipe together with a session", async () => {
    const unknown = await navigate("/inside/forum", { room_name: "nowhere" });
    expect([unknown.status, unknown.body.error]).toMatchObject([404, { code: "session.not_found" }]);
    const both = await navigate("/inside/forum", { room_name: "desk", login: recipe(PASSWORD) });
    expect([both.status, both.body.error.code]).toEqual([422, "request.invalid"]);
  });
});

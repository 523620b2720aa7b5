/**
 * Tests explorations that sign in to a site with pages that resemble its sign-in page: the settings of a mail
 * server (Review Board), or a form for a new user (Request Tracker). Other links of the site lead to the sign-in page
 * itself, to a feed and a data file, or to pages of a manual whose addresses resemble commands (`cli/enable`).
 */
import { expect, setDefaultTimeout, test } from "bun:test";
import { html } from "../../sites/test-site-with-given-routes.ts";
import { siteOfTests } from "../../support/site-for-one-test-file.ts";
import { isFull } from "../../test-run-tier-and-seed.ts";
import { exploreToTheEnd } from "../support/explore-to-the-end.ts";
import { cairnOfTests } from "../support/shared-test-cairn.ts";

const TIMEOUT = 120_000;
setDefaultTimeout(TIMEOUT);
const MENU = `<details><summary>ada</summary><a href="/logout">Log out</a></details>`;
const FIELDS = `<label>User <input name="user"></label><label>Password <input name="password" type="password"></label>`;

const redirect = (location: string, cookie?: string): Response =>
  new Response(null, { status: 302, headers: { location, ...(cookie ? { "set-cookie": cookie } : {}) } });
const isSignedIn = (request: Request): boolean => /member=1/.test(request.headers.get("cookie") ?? "");
const forMembers =
  (title: string, body: string, signIn = "/login") =>
  (request: Request): Response | string =>
    isSignedIn(request) ? html(title, `${MENU}<h1>${title}</h1>${body}`) : redirect(signIn);
let attempts = 0;
/** An address of a private feed, which contains a token of its user. */
const FEED = "/feed/WyJmbGF0Il0.kLSkndAc9BpzP0FlVNNd6T0urQ0.xml";
/** Pages of a manual and, in the folder `payroll`, of a document. */
const LINKED = ["cli/enable", "cli/list", "cli/show", "payroll/disable", "payroll/edit", "payroll/share"];
const typed = (type: string, text: string) => () => new Response(text, { headers: { "content-type": type } });

const site = siteOfTests({
  "/": forMembers(
    "Start",
    `<a href="/settings/mail">Mail server</a><a href="/users/new">New user</a><a href="/?welcome=0">Dismiss</a>`,
  ),
  "/settings/mail": forMembers(
    "Mail server",
    `<form method="post">${FIELDS}<label>Port <input name="port"></label><button>Save</button></form><a href="/help">Help</a>`,
  ),
  "/users/new": forMembers(
    "New user",
    `<form method="post">${FIELDS}<button>Create</button></form><a href="/rules">Rules</a>`,
  ),
  "/help": forMembers("Help", `<p>Help about the mail server.</p>`),
  "/rules": forMembers("Rules", `<p>Rules for passwords.</p>`),
  // Like WordPress, this site shows the sign-in form also to users who are signed in. Every second sign-in is
  // refused, as if a script of the page had changed the typed text.
  "/open": forMembers("Open", `<a href="/form">Sign in</a><a href="/news">News</a>`, "/form"),
  "/news": forMembers("News", "<p>News of the town.</p>", "/form"),
  "/lists": forMembers(
    "Lists",
    `<a href="${FEED}">RSS</a><a href="/list.json">JSON</a><a href="/notes.txt">Notes</a>`,
  ),
  "/documents": forMembers(
    "Documents",
    `${LINKED.map((path) => `<a href="/docs/${path}">${path}</a>`).join(" ")}<script>fetch("/docs/billing/toggle").catch(() => {})</script>`,
  ),
  ...Object.fromEntries(
    [...LINKED, "billing/toggle"].map((path) => [
      `/docs/${path}`,
      forMembers(path, `<p>All about ${path}.</p>`),
    ]),
  ),
  [FEED]: typed("application/rss+xml", "<rss><channel><title>Town</title></channel></rss>"),
  "/list.json": typed("application/json", '{"towns": []}'),
  "/notes.txt": typed("text/plain", "Notes of the town."),
  "/form": (request) => {
    const form = html("Sign in", `<form method="post">${FIELDS}<button>Sign in</button></form>`);
    if (request.method !== "POST") return form;
    attempts += 1;
    return attempts % 2 === 1 ? redirect("/open", "member=1; Path=/") : form;
  },
  "/login": (request) => {
    if (request.method === "POST") return redirect("/", "member=1; Path=/");
    if (isSignedIn(request)) return redirect("/");
    return html("Sign in", `<form method="post">${FIELDS}<button>Sign in</button></form>`);
  },
});

const cairn = await cairnOfTests();

const signIn = (path: string) => ({
  url: site.url(path),
  fields: [
    { label: "User", value: "ada" },
    { label: "Password", value: "open sesame" },
  ],
  success: { text: "Log out" },
});

test.if(isFull)(
  "a page with the same fields as the sign-in page does not end an exploration that is still signed in",
  async () => {
    const job_id = `lookalike-${crypto.randomUUID()}`;
    const status = await exploreToTheEnd(cairn, {
      start_url: site.url("/"),
      knowledge_id: job_id,
      job_id,
      mode: "interactive",
      login: signIn("/login"),
    });
    expect(status).toMatchObject({ status: "completed", error: null, progress: { completed: 5, failed: 0 } });
    // The exploration follows links in one session and presses controls in another one. Each session signs in
    // once.
    const signIns = site.log.filter(({ method, path }) => method === "POST" && path === "/login");
    expect(signIns).toHaveLength(2);
    // The link "Dismiss" hides a panel for the account, so it is not followed.
    expect(site.log.filter(({ path }) => path.endsWith("?welcome=0"))).toEqual([]);
  },
);

test.if(isFull)(
  "a link to the sign-in page does not end an exploration, even if the site refuses the exploration's second sign-in at first",
  async () => {
    const job_id = `form-${crypto.randomUUID()}`;
    const status = await exploreToTheEnd(cairn, {
      start_url: site.url("/open"),
      knowledge_id: job_id,
      job_id,
      mode: "links",
      login: signIn("/form"),
    });
    expect(status).toMatchObject({ status: "completed", error: null, progress: { completed: 3 } });
  },
);

test.if(isFull)(
  "an exploration that signs in stores a plain-text page, but no feed and no data file",
  async () => {
    const job_id = `feed-${crypto.randomUUID()}`;
    await exploreToTheEnd(cairn, {
      start_url: site.url("/lists"),
      knowledge_id: job_id,
      job_id,
      mode: "links",
      login: signIn("/login"),
    });
    const { body } = await cairn.get(`/api/knowledge/explore/results/${job_id}`);
    const paths = body.pages.map(({ url }: { url: string }) => url.slice(site.origin.length));
    expect(paths.sort()).toEqual(["/lists", "/notes.txt"]);
  },
);

test("an exploration that signs in reads manual pages that are named after commands (cli/enable), but sends no such command", async () => {
  const job_id = `manual-${crypto.randomUUID()}`;
  await exploreToTheEnd(cairn, {
    start_url: site.url("/documents"),
    knowledge_id: job_id,
    job_id,
    mode: "links",
    login: signIn("/login"),
  });
  const read = site.log.flatMap(({ path }) =>
    path.startsWith("/docs/") ? [path.slice("/docs/".length)] : [],
  );
  expect([...new Set(read)].sort()).toEqual([
    "cli/enable",
    "cli/list",
    "cli/show",
    "payroll/edit",
    "payroll/share",
  ]);
});

/** Tests explorations with a sign-in, on a site that has a page whose script never ends. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { html } from "../../sites/test-site-with-given-routes.ts";
import { siteOfTests } from "../../support/site-for-one-test-file.ts";
import { exploreToTheEnd } from "../support/explore-to-the-end.ts";
import { cairnOfTests } from "../support/shared-test-cairn.ts";

setDefaultTimeout(180_000);

const redirect = (location: string, cookie?: string): Response =>
  new Response(null, { status: 302, headers: { location, ...(cookie ? { "set-cookie": cookie } : {}) } });
const forMembers =
  (title: string, body: string) =>
  (request: Request): Response | string =>
    /member=1/.test(request.headers.get("cookie") ?? "")
      ? html(title, `<p>Log out</p><h1>${title}</h1>${body}`)
      : redirect("/login");

const site = siteOfTests({
  "/": forMembers("Start", `<a href="/busy">Busy</a><a href="/notes">Notes</a>`),
  "/busy": forMembers("Busy", `<script>addEventListener("load", () => { for (;;); })</script>`),
  "/notes": forMembers("Notes", `<a href="/notes/archive">Archive</a>`),
  "/notes/archive": forMembers("Archive", `<p>Old notes.</p>`),
  "/login": (request) =>
    request.method === "POST"
      ? redirect("/", "member=1; Path=/")
      : html(
          "Sign in",
          `<form method="post"><label>Password <input name="password" type="password"></label><button>Sign in</button></form>`,
        ),
});

const cairn = await cairnOfTests();

test("an exploration that signs in reads the other pages when the script of one page never ends", async () => {
  const job_id = `hanging-${crypto.randomUUID()}`;
  const status = await exploreToTheEnd(cairn, {
    start_url: site.url("/"),
    knowledge_id: job_id,
    job_id,
    mode: "links",
    login: {
      url: site.url("/login"),
      fields: [{ label: "Password", value: "open sesame" }],
      success: { text: "Log out" },
    },
  });
  expect(status).toMatchObject({ status: "completed", error: null, progress: { completed: 3, failed: 1 } });
});

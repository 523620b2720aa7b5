/**
 * Tests explorations with a sign-in. When the form for a new item is left, the application asks whether to leave it,
 * although nothing was typed, as Ghost does. The application changes its address before it asks.
 */
import { expect, setDefaultTimeout, test } from "bun:test";
import { html } from "../../sites/test-site-with-given-routes.ts";
import { siteOfTests } from "../../support/site-for-one-test-file.ts";
import { exploreToTheEnd } from "../support/explore-to-the-end.ts";
import { cairnOfTests } from "../support/shared-test-cairn.ts";

setDefaultTimeout(180_000);

const redirect = (location: string, cookie?: string): Response =>
  new Response(null, { status: 302, headers: { location, ...(cookie ? { "set-cookie": cookie } : {}) } });

const APPLICATION = `<nav><a href="#/tags">Tags</a> <a href="#/log-out">Log out</a></nav><main></main><script>
  const main = document.querySelector("main");
  const pages = {
    "#/tags": '<h1>Tags</h1><a href="#/tags/new">New tag</a> <a href="#/tags/harbour">Harbour</a> <a href="#/tags/weather">Weather</a>',
    "#/tags/new": "<h1>New tag</h1><label>Name <input></label><button>Create</button>",
    "#/tags/harbour": "<h1>Harbour</h1><p>News from the harbour.</p><button>Rename</button>",
    "#/tags/weather": "<h1>Weather</h1><p>Wind and water.</p><button>Rename</button>",
  };
  let shown;
  const show = () => {
    const route = pages[location.hash] ? location.hash : "#/tags";
    if (shown === "#/tags/new" && route !== shown) {
      if (document.querySelector("[role=dialog]")) return;
      document.body.insertAdjacentHTML("beforeend", '<div role="dialog" aria-modal="true" style="position:fixed;inset:0;background:#fff"><h2>Are you sure you want to leave this page?</h2><button>Stay</button><button>Leave</button></div>');
      return;
    }
    shown = route;
    main.innerHTML = pages[route];
  };
  addEventListener("hashchange", show);
  show();
</script>`;

const site = siteOfTests({
  "/": (request) =>
    /member=1/.test(request.headers.get("cookie") ?? "") ? html("Admin", APPLICATION) : redirect("/login"),
  "/login": (request) =>
    request.method === "POST"
      ? redirect("/", "member=1; Path=/")
      : html(
          "Sign in",
          `<form method="post"><label>Password <input name="password" type="password"></label><button>Sign in</button></form>`,
        ),
});

const cairn = await cairnOfTests();

test("an exploration reads the right content of further pages, although the application asks before it leaves a form for a new item", async () => {
  const job_id = `leaving-${crypto.randomUUID()}`;
  await exploreToTheEnd(cairn, {
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
  const { body } = await cairn.get(`/api/knowledge/explore/results/${job_id}`);
  const pages = body.pages as { url: string; content: string }[];
  const of = (route: string): string => pages.find(({ url }) => url.endsWith(route))?.content ?? "";
  expect(of("#/tags/new")).toContain("New tag");
  expect(of("#/tags/harbour")).toContain("News from the harbour");
  expect(of("#/tags/weather")).toContain("Wind and water");
});

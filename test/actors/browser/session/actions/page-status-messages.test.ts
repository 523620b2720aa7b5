/** Tests the messages by which pages report that a server accepted or refused a form, in a real Chromium. */
import { describe, expect, test } from "bun:test";
import { html } from "../../../../sites/test-site-with-given-routes.ts";
import { isFull } from "../../../../test-run-tier-and-seed.ts";
import { stageOfTests } from "../session-for-one-test-file.ts";
import { called } from "../session-in-shared-test-browser.ts";

/** HTML of messages in the markup that Bootstrap and Django use. */
const MARKUP = {
  bootstrap: {
    error: (text: string) =>
      `<div class="alert alert-danger" role="alert"><button class="close">×</button>${text}</div>`,
    done: (text: string) => `<div class="alert alert-success">${text}</div>`,
  },
  django: {
    error: (text: string) => `<ul class="errorlist"><li>${text}</li></ul>`,
    done: (text: string) => `<ul class="messagelist"><li class="success">${text}</li></ul>`,
  },
} as const;
type Style = keyof typeof MARKUP;

/** The markup of the message by which WordPress reports that settings were saved. */
const SETTINGS_SAVED = `<div id="setting-error-settings_updated" class="notice notice-success settings-error"><p>Settings saved.</p></div>`;

/** Returns a form whose field "Name" contains the given name. */
const named = (action: string, name = "", attributes = "") =>
  `<form method="post" action="${action}"><label>Name <input name="name" value="${name}" ${attributes}></label>
   <label>Password <input type="password" name="secret"></label><button>Save</button></form>`;

const nameIn = async (request: Request): Promise<string> =>
  new URLSearchParams(await request.text()).get("name") ?? "";

/** The name that the page `/redirected` has saved. */
let stored = "Harbour";

/** A form that a script sends. It stays on the page, and the script does not report the result. */
const SCRIPTED = `<form id="room"><label>Name <input name="name"></label><button>Save</button></form><script>
  room.addEventListener("submit", (event) => { event.preventDefault();
    fetch("/scripted", { method: "POST", body: room.elements.name.value }); });</script>`;

/** A form whose script sends a mutation, and shows the errors of the response in the given markup. */
const mutating = (
  alert: string,
) => `<form id="tag"><label>Name <input name="name"></label><button>Create</button></form>
  <div id="said"></div><script>tag.addEventListener("submit", async (event) => { event.preventDefault();
    const body = JSON.stringify({ query: "mutation { createTag { id } }", variables: { name: tag.elements.name.value } });
    const answer = await (await fetch("/graphql", { method: "POST", body })).json();
    if (answer.errors) said.innerHTML = ${JSON.stringify(alert)}; });</script>`;

/**
 * A form whose script sends nothing while a value is missing. It reports this in a text that nothing marks as an
 * error, no role and no class.
 */
const CHECKED = `<form id="user"><label>Name <input></label><span>Password</span><button type="button">Set</button>
  <p id="why"></p><button>Create</button></form><p id="done"></p><script>user.addEventListener("submit", (event) => {
    event.preventDefault(); const name = user.querySelector("input").value;
    if (name === "Ugo") why.textContent = "Password is required"; else why.textContent = name + " counts for 3"; });</script>`;

const form = (style: Style, before = "") => `${before}<h1>Project</h1>
  <p class="error" style="display:none">Hidden mistake</p><span class="error">*</span>
  <form method="post" action="/${style}"><label>Name <input name="name"></label><button>Create</button></form>`;

const served = (style: Style) => async (request: Request) => {
  const { error, done } = MARKUP[style];
  if (request.method === "GET") return html("Project", form(style));
  const name = new URLSearchParams(await request.text()).get("name");
  return html(
    "Project",
    form(style, name === "taken" ? error("The name is taken") : done(`${name} is saved`)),
  );
};
const filter = `<form action="/filter"><label>Name <input name="name"></label><button>Find</button></form>`;
const stage = await stageOfTests({
  routes: {
    "/silent": async (request) => html("Room", named("/silent", await nameIn(request))),
    "/plain": async (request) => {
      const name = await nameIn(request);
      const error = name === "" ? "" : `<div class="text-red-500">This name is taken.</div>`;
      return html(
        "Room",
        named("/plain", name).replace("<button>", `${error}<p>Names are public.</p><button>`),
      );
    },
    "/marked": async (request) => html("Room", named("/marked", await nameIn(request), 'class="is-invalid"')),
    "/emptied": () => html("Room", named("/emptied")),
    "/settings": async (request) => {
      if (request.method === "GET") return html("Settings", named("/settings", "Harbour"));
      return html("Settings", SETTINGS_SAVED + named("/settings", await nameIn(request)));
    },
    "/redirected": async (request) => {
      if (request.method === "GET") return html("Settings", named("/redirected", stored));
      stored = await nameIn(request);
      return new Response(null, { status: 303, headers: { location: "/redirected" } });
    },
    "/scripted": async (request) => {
      if (request.method === "GET") return html("Room", SCRIPTED);
      return new Response(null, { status: (await request.text()) === "taken" ? 422 : 204 });
    },
    "/graphql": async (request) => {
      const isTaken = (await request.text()).includes("taken");
      return Response.json(isTaken ? { errors: [{ message: "Database error" }], data: null } : { data: {} });
    },
    "/polite-alert": html("Tag", mutating('<div role="alert" aria-live="polite">Not possible</div>')),
    "/polite-count": html("Tag", mutating('<p role="status">1 value is wrong</p>')),
    "/alert-with-icon": html(
      "Tag",
      SCRIPTED.replace("<button>Save", '<div role="alert" id="said"></div><button>Save').replace(
        "body: room.elements.name.value })",
        `body: "" }); said.innerHTML = '<svg role="img" aria-label="Error"></svg> Unable to save'`,
      ),
    ),
    "/checked": html("User", CHECKED),
    "/bootstrap": served("bootstrap"),
    "/django": served("django"),
    "/moved": html(
      "Moved",
      `<p role="alert">Moved</p><script>onload = () => setTimeout(() => location.replace("/new"))</script>`,
    ),
    "/broken": () => new Response("Could not handle the request", { status: 500 }),
    "/missing": () =>
      new Response("<title>Missing</title>", { status: 404, headers: { "content-type": "text/html" } }),
    "/linked": html("Linked", `<a href="/missing">Missing</a>`),
    "/new": html("New", `<div class="alert alert-success">Welcome</div><button>Start</button>`),
    "/saved": html(
      "Saved",
      `<div role="status" class="alert">Order saved <b style="display:none">Network error</b>
           <i style="visibility:hidden">Try again</i></div>
         <div role="alert" style="height:30px"><p hidden>Network error</p><p style="opacity:0">No network</p></div>`,
    ),
    "/filter": async ({ url }) =>
      html("Names", (url.includes("name=") ? `<p class="error">No results</p>` : "") + filter),
  },
});

test.if(isFull)(
  'a search form that is shown again with the message "No results" does not count as refused',
  async () => {
    await stage.act("navigate", { url: stage.site.url("/filter") });
    await stage.act("input", { index: called(await stage.analyze(), "Name").highlight_index, text: "none" });
    expect(await stage.act("submit_form")).toMatchObject({ success: true, data: { submitted: true } });
  },
);

test("the returned message of a page does not contain the hidden texts inside the message", async () => {
  const { data } = await stage.act("navigate", { url: stage.site.url("/saved") });
  expect(data).toMatchObject({ page: { said: ["Order saved"] } });
});

test("the outcome of a navigation has the address, title and messages of the page to which a script of the opened page redirects", async () => {
  const { data } = await stage.act("navigate", { url: stage.site.url("/moved") });
  expect(data).toMatchObject({
    effect: "navigated",
    url: stage.site.url("/new"),
    title: "New",
    page: { said: ["Welcome"] },
  });
});

test("the outcome of an action that leads to an error page of the server has its HTTP status", async () => {
  const opened = await stage.act("navigate", { url: stage.site.url("/broken") });
  expect(opened).toMatchObject({ success: true, data: { effect: "navigated", http_status: 500 } });
  const fine = await stage.act("navigate", { url: stage.site.url("/linked") });
  expect(fine.data).not.toHaveProperty("http_status");
  const clicked = await stage.act("click", { text: "Missing" });
  expect(clicked.data).toMatchObject({ title: "Missing", http_status: 404 });
});

test("go_back to an address that a script has set on an error page returns no HTTP status", async () => {
  await stage.act("navigate", { url: stage.site.url("/missing") });
  await stage.run(`history.pushState(null, "", "/first"); history.pushState(null, "", "/second")`);
  const back = await stage.act("go_back");
  expect(back.data).toMatchObject({ effect: "navigated", url: stage.site.url("/first") });
  expect(back.data).not.toHaveProperty("http_status");
});

async function enter(style: Style, name: string) {
  await stage.act("navigate", { url: stage.site.url(`/${style}`) });
  await stage.act("input", { index: called(await stage.analyze(), "Name").highlight_index, text: name });
}

const send = async (path: string, name: string) => {
  await stage.act("navigate", { url: stage.site.url(path) });
  const fields = [{ label: "Name", value: name }];
  return await stage.act("fill_form", { fields, submit: true });
};

describe("a form that marks no text as an error message", () => {
  test.if(isFull)("counts as refused if the server shows it again with the sent values", async () => {
    const refused = await send("/silent", "taken");
    expect(refused).toMatchObject({ success: false, data: { code: "form_invalid", pressed: true } });
    expect(refused.error).toContain("shows it again with the same values");
  });

  test.if(isFull)(
    "counts as refused if the server shows it again with new texts, and the error quotes these texts",
    async () => {
      const refused = await send("/plain", "taken");
      expect(refused).toMatchObject({
        success: false,
        data: { code: "form_invalid", complaints: ["This name is taken."] },
      });
      expect(refused.error).toContain("The page says: This name is taken.");
    },
  );

  test("counts as refused if the server marks its fields as invalid", async () => {
    const { data } = await send("/marked", "taken");
    expect(data).toMatchObject({ code: "form_invalid", fields: [{ name: "name", label: "Name" }] });
  });

  test("counts as refused if the server answers the request of a script with an error", async () => {
    const refused = await send("/scripted", "taken");
    expect(refused).toMatchObject({ success: false, data: { code: "form_invalid" } });
    expect(refused.error).toContain("HTTP status 422");
  });

  test.if(isFull)(
    "counts as refused if a GraphQL server answers with errors, although an alert is announced politely",
    async () => {
      const refused = await send("/polite-alert", "taken");
      expect(refused).toMatchObject({ success: false, data: { code: "form_invalid" } });
      expect(refused.error).toContain("Database error");
      expect(await send("/polite-alert", "mine")).toMatchObject({ success: true });
    },
  );

  test.if(isFull)(
    "counts as refused if the server refuses its request, although the page announces a message politely",
    async () => {
      const refused = await send("/polite-count", "taken");
      expect(refused).toMatchObject({ success: false, data: { code: "form_invalid" } });
      expect(refused.error).toContain("Database error");
    },
  );

  test.if(isFull)(
    "counts as refused if a script stops it and says in the form which value is missing",
    async () => {
      const refused = await send("/checked", "Ugo");
      expect(refused).toMatchObject({
        success: false,
        data: { code: "form_invalid", complaints: ["Password is required"] },
      });
    },
  );

  test("counts as accepted if a script stops it and shows a result in the form", async () => {
    expect(await send("/checked", "Ada")).toMatchObject({ success: true });
  });

  test.if(isFull)("counts as refused if the icon of an alert is named as an error", async () => {
    const refused = await send("/alert-with-icon", "mine");
    expect(refused).toMatchObject({ data: { code: "form_invalid", complaints: ["Unable to save"] } });
  });

  test("counts as accepted if a script's request succeeds and the form stays open", async () => {
    expect(await send("/scripted", "mine")).toMatchObject({ success: true, data: { by_page: true } });
  });

  test("counts as accepted if the server shows it empty", async () => {
    expect(await send("/emptied", "mine")).toMatchObject({ success: true });
  });

  test("counts as accepted if the server redirects to the same form, although the form shows the sent values", async () => {
    expect(await send("/redirected", "Seaside")).toMatchObject({ success: true });
  });
});

test.if(isFull)(
  "a form with settings counts as accepted if it is shown again with a success message, although a class contains `error`",
  async () => {
    const saved = await send("/settings", "Seaside");
    expect(saved).toMatchObject({ success: true, data: { page: { said: ["Settings saved."] } } });
    const again = await stage.act("fill_form", { fields: [{ label: "Name", value: "Pier" }], submit: true });
    expect(again).toMatchObject({ success: true });
  },
);

for (const style of ["bootstrap", "django"] as const) {
  describe(`an action on a page with status messages in the style of ${style}`, () => {
    test.if(isFull)("fails as form_invalid each time the server refuses the form", async () => {
      await enter(style, "taken");
      const refused = await stage.act("submit_form");
      expect(refused).toMatchObject({
        success: false,
        data: { code: "form_invalid", complaints: ["The name is taken"] },
      });
      const name = called(await stage.analyze(), "Name").highlight_index;
      await stage.act("input", { index: name, text: "taken" });
      expect((await stage.act("submit_form")).data).toMatchObject({ code: "form_invalid" });
    });

    test.if(isFull)(
      "returns the success message of a form that the server accepts and shows again",
      async () => {
        await enter(style, "mine");
        const sent = await stage.act("submit_form");
        expect(sent).toMatchObject({ success: true, data: { page: { said: ["mine is saved"] } } });
      },
    );

    test("returns the messages of the page to which a click leads", async () => {
      await enter(style, "taken");
      const index = called(await stage.analyze(), "Create").highlight_index;
      const clicked = await stage.act("click", { index });
      expect(clicked.data).toMatchObject({ effect: "navigated", page: { said: ["The name is taken"] } });
    });
  });
}

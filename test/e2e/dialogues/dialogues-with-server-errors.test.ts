/** Tests dialogues on pages whose server answers a step with an error, or refuses a form. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { html } from "../../sites/test-site-with-given-routes.ts";
import { siteOfTests } from "../../support/site-for-one-test-file.ts";
import { isFull } from "../../test-run-tier-and-seed.ts";
import { cairnOfTests } from "../support/shared-test-cairn.ts";

const TIMEOUT = 90_000;
setDefaultTimeout(TIMEOUT);

const page = (title: string, body: string, status = 200): Response =>
  new Response(`<!doctype html><title>${title}</title><h1>${title}</h1>${body}`, {
    status,
    headers: { "content-type": "text/html" },
  });

const site = siteOfTests({
  "/": html(
    "Members",
    `<h1>Members</h1><a href="/archive">Archive</a><a href="/list">List</a>
       <form method="post" action="/add"><label>Name <input name="name"></label><button>Add</button></form>`,
  ),
  "/address": (request) =>
    page(
      "Address",
      `<form method="post"><label>City <input name="city"></label><button>Save</button>
         ${request.method === "POST" ? '<p class="alert alert-danger">There is no such city.</p>' : ""}</form>`,
    ),
  "/rows": html(
    "Rows",
    `<form method="post" action="/add"><label>Name <input name="name"></label>
       <button onclick="event.preventDefault(); document.body.append('Another row')">Insert a row</button></form>`,
  ),
  "/app": html(
    "App",
    `<form onsubmit="event.preventDefault(); fetch('/names', { method: 'POST', body: this.name.value })">
       <label>Name <input name="name"></label><button>Save</button></form>`,
  ),
  "/names": () => new Response("taken", { status: 409 }),
  "/list": html("List", "<h1>List</h1>"),
  "/archive": () => page("Not here", "", 404),
  "/add": () => page("Server error", "<p role=alert>The name could not be stored.</p>", 500),
});

const cairn = await cairnOfTests();

/** Runs the task on a page until it has ended or a step has failed. */
async function run(task: string, path = "/") {
  const start = { task, url: site.url(path), room_name: "errors", auto_approve: true };
  const { body } = await cairn.post("/api/dialogues", start);
  for (;;) {
    const { body: state } = await cairn.get(`/api/dialogues/${body.dialogue_id}`);
    if (["completed", "mid_exec_dialog", "error"].includes(state.status)) return state;
    await Bun.sleep(50);
  }
}

test("a form that the server answers with an error is a failed step, which is reported as possibly done", async () => {
  const { status, failure } = await run("Type Ada into Name and click Add");
  expect(status).toBe("mid_exec_dialog");
  expect(failure).toMatchObject({ stepIndex: 1, code: "http_error", mayHaveHappened: true });
  expect(failure.error).toBe(
    'The server answered with the HTTP status 500: "Server error"; The name could not be stored.',
  );
});

test.if(isFull)(
  "a step to a page that does not exist fails, and a step to a page that exists is done",
  async () => {
    expect((await run("Open the archive")).failure).toMatchObject({ code: "http_error" });
    expect((await run("Open the list")).status).toBe("completed");
  },
);

test("a form that the page shows again with an error is a failed step with this error", async () => {
  const { failure } = await run("Type Atlantis into City and click Save", "/address");
  expect(failure).toMatchObject({ stepIndex: 1, code: "form_invalid" });
  expect(failure.error).toBe("The page refused the form: There is no such city.");
});

test.if(isFull)("a form that a script sends, and the server refuses, is a failed step", async () => {
  const { failure } = await run("Type Ada into Name and click Save", "/app");
  expect(failure).toMatchObject({ stepIndex: 1, code: "form_invalid" });
  expect(failure.error).toContain("409");
});

test.if(isFull)(
  "a submit button that a script uses for something else is pressed, and its form is not sent",
  async () => {
    expect((await run("Insert a row", "/rows")).status).toBe("completed");
    const { body } = await cairn.call("get_screen_content", { room_name: "errors" });
    expect(JSON.stringify(body)).toContain("Another row");
  },
);

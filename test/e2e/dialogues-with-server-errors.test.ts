/** Tests dialogues on pages whose server answers a step with an HTTP error. */
import { expect, test } from "bun:test";
import { html } from "../sites/test-site-with-given-routes.ts";
import { siteOfTests } from "../support/site-of-tests.ts";
import { cairnOfTests } from "./shared-test-cairn.ts";

const TIMEOUT = 90_000;

const site = siteOfTests({
  "/": html(
    "Members",
    `<h1>Members</h1><a href="/archive">Archive</a><a href="/list">List</a>
       <form method="post" action="/add"><label>Name <input name="name"></label><button>Add</button></form>`,
  ),
  "/list": html("List", "<h1>List</h1>"),
  "/archive": () =>
    new Response("<title>Not here</title><h1>Not here</h1>", {
      status: 404,
      headers: { "content-type": "text/html" },
    }),
  "/add": () =>
    new Response("<title>Server error</title><p role=alert>The name could not be stored.</p>", {
      status: 500,
      headers: { "content-type": "text/html" },
    }),
});

const cairn = await cairnOfTests();

/** Runs the task on the start page until it has ended or a step has failed. */
async function run(task: string) {
  const start = { task, url: site.url("/"), room_name: "errors", auto_approve: true };
  const { body } = await cairn.post("/api/dialogues", start);
  for (;;) {
    const { body: state } = await cairn.get(`/api/dialogues/${body.dialogue_id}`);
    if (["completed", "mid_exec_dialog", "error"].includes(state.status)) return state;
    await Bun.sleep(50);
  }
}

test(
  "a form that the server answers with an error is a failed step, which may have been done",
  async () => {
    const { status, failure } = await run("Type Ada into Name and click Add");
    expect(status).toBe("mid_exec_dialog");
    expect(failure).toMatchObject({ stepIndex: 1, code: "http_error", mayHaveHappened: true });
    expect(failure.error).toBe(
      'The server answered with the HTTP status 500: "Server error"; The name could not be stored.',
    );
  },
  TIMEOUT,
);

test(
  "a link to a page that does not exist is a failed step, and a link to another page is done",
  async () => {
    expect((await run("Open the archive")).failure).toMatchObject({ code: "http_error" });
    expect((await run("Open the list")).status).toBe("completed");
  },
  TIMEOUT,
);

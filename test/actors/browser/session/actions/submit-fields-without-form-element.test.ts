/**
 * Tests `submit_form` on a button without a `<form>`, in a real Chromium: which reactions of the page prove that the
 * fields were submitted, and which show a failure.
 */
import { expect, test } from "bun:test";
import type { Route } from "../../../../sites/test-site-with-given-routes.ts";
import { isFull } from "../../../../test-run-tier-and-seed.ts";
import { stageOfTests } from "../session-for-one-test-file.ts";
import { actionOn } from "../session-in-shared-test-browser.ts";

const answer =
  (status: number, body = "{}"): Route =>
  () =>
    new Response(body, { status, headers: { "content-type": "text/html" } });

const stage = await stageOfTests({
  routes: {
    "/ok": answer(200),
    "/refused": answer(409),
    "/graphql": (request) =>
      request.url.endsWith("?fails")
        ? Response.json({ errors: [{ message: "The name is taken" }], data: null })
        : Response.json({ data: { addMember: { id: "7" } } }),
    "/statistics": answer(204, ""),
    "/done": answer(200, "<h1>Done</h1>"),
    "/broken": answer(500, "<h1>Sorry</h1>"),
  },
});

/** Shows a dialog without a form, whose button runs the given script, and presses this button. */
async function press(script: string, fields = "") {
  await stage.show(`<h1>Members</h1><ul id="list"></ul>
    <div role="dialog" aria-label="Add member" id="box">
      <label>Name <input id="who" value="Berta"></label>${fields}<p id="note"></p>
      <button type="button" onclick="save()">Save</button></div>
    <script>
      const write = (path, body) => fetch(path, { method: "POST", body: JSON.stringify(body) });
      async function save() { ${script} }
    </script>`);
  return await actionOn(stage, "submit_form", "Save");
}

test("a dialog's form counts as sent if the server accepts a request with a value of the form, even if the dialog stays open", async () => {
  const { error, data } = await press(`await write("/ok", { query: "mutation", name: who.value })`);
  expect(error).toBeNull();
  expect(data).toMatchObject({
    submitted: true,
    form: "Add member",
    evidence: "request",
    http_status: 200,
  });
});

test("a dialog's form counts as sent if the dialog closes after a request, even if the request contains no value of the form", async () => {
  const { error, data } = await press(`await write("/ok", { user: 7 }); setTimeout(() => box.remove(), 200)`);
  expect(error).toBeNull();
  expect(data).toMatchObject({ evidence: "request", http_status: 200 });
});

test.if(isFull)(
  "a dialog's form does not count as sent by a request for statistics while the dialog stays open",
  async () => {
    const { success, data, error } = await press(`await write("/statistics", { event: "click" })`);
    expect({ success, code: data.code }).toEqual({ success: false, code: "not_applied" });
    expect(error).toContain("still shows the form");
  },
);

test("sending a dialog's form fails if the server refuses the request, although the dialog closes", async () => {
  const { data, error } = await press(`await write("/refused", { name: who.value }); box.remove()`);
  expect(data).toMatchObject({ code: "form_invalid", http_status: 409, pressed: true });
  expect(error).toBe("The server refused the form: it answered with the HTTP status 409.");
});

test.if(isFull)(
  "sending a dialog's form fails if the GraphQL server answers the mutation with errors and the status 200",
  async () => {
    const mutation =
      '{ query: "mutation Add($name: String!) { addMember(name: $name) { id } }", variables: { name: who.value } }';
    for (const after of ["", "box.remove()"]) {
      const { data, error } = await press(
        `await (await write("/graphql?fails", ${mutation})).json(); ${after}`,
      );
      expect(data).toMatchObject({ code: "form_invalid", pressed: true });
      expect(error).toBe("The server refused the form: it answered with errors: The name is taken.");
    }
    const { data } = await press(`await write("/graphql", ${mutation})`);
    expect(data).toMatchObject({ evidence: "request", http_status: 200 });
  },
);

test.if(isFull)(
  "a GraphQL query with errors does not refuse a dialog's form whose mutation the server has accepted",
  async () => {
    const { data } = await press(
      `await write("/graphql", { query: "mutation { addMember }", variables: { name: who.value } });
     await write("/graphql?fails", { query: "query Members { mutation }", variables: { name: who.value } })`,
    );
    expect(data).toMatchObject({ evidence: "request", http_status: 200 });
  },
);

test.if(isFull)(
  "sending a dialog's form fails if the dialog shows an error message, although the server has accepted the request",
  async () => {
    const { data, error } = await press(
      `await write("/ok", { name: who.value }); note.className = "error"; note.textContent = "Berta is there already"`,
    );
    expect(data).toMatchObject({ code: "form_invalid", complaints: ["Berta is there already"] });
    expect(error).toBe("The page refused the form. The page says: Berta is there already.");
  },
);

test("sending a dialog's form fails with the message of the field that the dialog marks as invalid", async () => {
  const { data, error } = await press(
    `role.setAttribute("aria-invalid", "true"); why.textContent = "Choose a role"`,
    `<label>Role <input id="role" aria-describedby="why"></label><span id="why"></span>`,
  );
  expect(data).toMatchObject({
    code: "form_invalid",
    fields: [{ label: "Role", message: "Choose a role" }],
  });
  expect(error).toContain("Role: Choose a role");
});

test.if(isFull)(
  "a dialog's form counts as sent by an accepted request, although the dialog shows an earlier error until it closes",
  async () => {
    const { error, data } = await press(
      `await write("/ok", { name: who.value }); setTimeout(() => box.hidden = true, 400)`,
      `<label>Role <input aria-invalid="true"></label>`,
    );
    expect(error).toBeNull();
    expect(data.evidence).toBe("request");
  },
);

test.if(isFull)(
  "a dialog's form counts as sent if the dialog closes and the page shows something new or navigates",
  async () => {
    const { data: row } = await press(`list.innerHTML = "<li>Berta</li>"; box.remove()`);
    expect(row).toMatchObject({ submitted: true, evidence: "form_closed" });
    const { data: page } = await press(`location.href = "/done"`);
    expect(page).toMatchObject({ submitted: true, evidence: "form_closed", effect: "navigated" });
  },
);

test("a dialog's form does not count as sent if the dialog only closes, or if an error page follows", async () => {
  const closed = await press("box.remove()");
  expect({ success: closed.success, code: closed.data.code }).toEqual({
    success: false,
    code: "not_applied",
  });
  expect(closed.error).toContain("it sent no request that writes");
  const broken = await press(`location.href = "/broken"`);
  expect(broken.error).toContain("has the HTTP status 500");
});

test.if(isFull)("a dialog's form does not count as sent if the page draws the dialog again", async () => {
  const { success, error } = await press("box.outerHTML = box.outerHTML");
  expect(success).toBe(false);
  expect(error).toContain("still shows the form");
});

test("a dialog's form does not count as sent if the page opens a confirmation, and the error quotes the question", async () => {
  const { success, error } = await press(`setTimeout(() => confirm("Really?"), 0)`);
  expect(success).toBe(false);
  expect(error).toContain('"Really?"');
  await stage.act("handle_dialog", { accept: false });
});

test.if(isFull)(
  "submit_form on a button in a dialog sends the fields of this dialog, although a checkbox is nearer to the button",
  async () => {
    await stage.show(`<div role="dialog" aria-label="Add"><label>Name <input id="who" value="Berta"></label>
    <footer><label><input type="checkbox"> Add another</label>
    <button type="button" onclick="fetch('/ok', { method: 'POST', body: who.value })">Save</button></footer></div>`);
    const { data } = await actionOn(stage, "submit_form", "Save");
    expect(data).toMatchObject({ form: "Add", evidence: "request" });
  },
);

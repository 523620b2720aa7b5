/** Tests filling in complete forms and uploading files, in a real Chromium. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { html } from "../../../../sites/test-site-with-given-routes.ts";
import { isFull } from "../../../../test-run-tier-and-seed.ts";
import { actionOn, type SessionStage, sessionStage } from "../session-in-shared-test-browser.ts";

let stage: SessionStage;
let folder: string;
const posted: string[] = [];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "cairn-uploads-"));
  await mkdir(join(folder, "uploads", "inner"), { recursive: true });
  await writeFile(join(folder, "uploads", "list.csv"), "a,b\n1,2\n");
  await writeFile(join(folder, "uploads", "inner", "note.txt"), "note");
  await writeFile(join(folder, "secret.txt"), "secret");
  await symlink(join(folder, "secret.txt"), join(folder, "uploads", "link.txt"));
  stage = await sessionStage({
    uploads: join(folder, "uploads"),
    routes: {
      "/sent": async (request) => {
        posted.push(await request.text());
        return html("Sent", "<p>Thanks</p>");
      },
    },
  });
});
afterAll(async () => {
  await stage.close();
  await rm(folder, { recursive: true });
});

const did = () => stage.run("did.join()");

const FORM = `<form action="/sent" method="post" id="order">
  <label>Name <input name="name" required></label><label>Mail <input name="mail" type="email" required></label>
  <label>Country <select name="country"><option>France</option><option>Austria</option></select></label>
  <label><input type="checkbox" name="news"> News</label>
  <label><input type="radio" name="pay" value="card"> Card</label><label><input type="radio" name="pay" value="bill"> Bill</label>
  <label>Day <input type="date" name="day"></label><label>Note <textarea name="note"></textarea></label>
  <button>Send</button><button type="reset">Empty</button></form>`;

test("the outcome of fill_form states that the fields are filled, although there is no form to submit", async () => {
  await stage.show(`<label>Name <input id="name"></label><button>Save</button>`);
  const { data, error } = await stage.act("fill_form", {
    fields: [{ label: "Name", value: "Ann" }],
    submit: true,
  });
  expect(data).toMatchObject({ code: "invalid_params", filled: 1, fields: [{ value: "Ann" }] });
  expect(error).toStartWith("The fields are filled.");
});

test("submit_form uses the form's real submit button, which is outside of the visible page, and not the drawn button", async () => {
  await stage.show(
    `<form action="/sent" method="post" onsubmit="via.value = event.submitter.value">
     <label>Name <input name="name"></label><input type="hidden" id="via" name="via">
     <span role="button" tabindex="0" onclick="real.click()">Save</span>
     <input id="real" type="submit" value="save" aria-hidden="true" tabindex="-1" style="position: absolute; top: -9999px"></form>`,
  );
  const { success, data } = await stage.act("fill_form", {
    fields: [{ label: "Name", value: "Ann" }],
    submit: true,
  });
  expect(success).toBe(true);
  expect(data).toMatchObject({ submitted: true, effect: "navigated" });
  expect(posted.at(-1)).toBe("name=Ann&via=save");
});

test.if(isFull)(
  "submit_form uses a submit button that is clipped away, whether the button itself is clipped or the box around it",
  async () => {
    const bootstrap =
      "position: absolute; width: 1px; height: 1px; padding: 4px; overflow: hidden; clip: rect(0, 0, 0, 0)";
    const drupal = "position: absolute; overflow: hidden; clip: rect(1px, 1px, 1px, 1px)";
    const path = "position: absolute; clip-path: inset(50%)";
    const reactAria = "position: absolute; width: 1px; height: 1px; overflow: hidden";
    for (const [own, around] of [
      [bootstrap, ""],
      [drupal, ""],
      [path, ""],
      ["", reactAria],
    ]) {
      await stage.show(
        `<form action="/sent" method="post"><label>Name <input name="name" value="Ann"></label>
       <div style="${around}"><button name="via" value="save" style="${own}">Save</button></div></form>`,
      );
      const { success, data } = await actionOn(stage, "submit_form", "Name");
      expect({ own, around, success, effect: data.effect }).toEqual({
        ...{ own, around, success: true },
        effect: "navigated",
      });
      expect(posted.at(-1)).toBe("name=Ann&via=save");
    }
  },
);

describe("a form whose submit button is disabled", () => {
  test.if(isFull)(
    "is sent if the button is enabled as soon as the focus leaves the changed field",
    async () => {
      await stage.show(`<form onsubmit="event.preventDefault(); did.push(taken)"><label>Posts <input id="posts" value="10"></label>
      <button id="save" disabled>Save</button></form><script>let taken = "10";
      posts.onblur = () => { taken = posts.value; save.disabled = taken === "10" }</script>`);
      const sent = await stage.act("fill_form", { fields: [{ label: "Posts", value: "20" }], submit: true });
      expect(sent).toMatchObject({ success: true });
      expect(await stage.run("did.join()")).toBe("20");
    },
  );

  // AngularJS disables the button while the form is not valid, and sends a valid form by a script.
  const USER = (types: readonly [string, string]) =>
    `<form novalidate onsubmit="event.preventDefault()" oninput="save.disabled = one.value !== two.value">
     <label>User <input name="user" required></label>
     <label>Secret <input id="one" name="one" type="${types[0]}" oninput="fetch('/sent', { method: 'POST', body: 'checked' })"></label>
     <label>Secret (repeat) <input id="two" name="two" type="${types[1]}"></label>
     <button id="save" onclick="fetch('/sent', { method: 'POST', body: 'saved ' + one.value })" disabled>Create</button></form>`;

  test("is not sent by submit_form, neither by a script nor by the Enter key", async () => {
    for (const types of [
      ["text", "text"],
      ["password", "password"],
    ] as const) {
      await stage.show(USER(types));
      posted.length = 0;
      const { success, error, data } = await stage.act("fill_form", {
        fields: [
          { label: "Secret", value: "harbour-8" },
          { label: "Secret (repeat)", value: "harbour-9" },
        ],
        submit: true,
      });
      expect({ success, code: data.code }).toEqual({ success: false, code: "form_invalid" });
      expect(error).toContain("its button is disabled");
      expect(data.fields).toMatchObject([{ label: "User" }]);
      expect(posted.filter((body) => body !== "checked")).toEqual([]);
    }
  });

  test.if(isFull)("is sent when the page enables the button after the fields are filled", async () => {
    await stage.show(USER(["text", "text"]));
    const { success } = await stage.act("fill_form", {
      fields: [
        { label: "User", value: "ann" },
        { label: "Secret", value: "harbour-8" },
        { label: "Secret (repeat)", value: "harbour-8" },
      ],
      submit: true,
    });
    expect(success).toBe(true);
    expect(posted).toContain("saved harbour-8");
  });
});

describe("a click on a submit button", () => {
  test("reports the invalid fields because of which the browser did not send the form", async () => {
    await stage.show(FORM);
    const { success, data } = await actionOn(stage, "click", "Send");
    expect(success).toBe(true);
    expect(data).toMatchObject({
      effect: "form_refused",
      refused: [
        { label: "Name", message: "Please fill out this field." },
        { label: "Mail", message: "Please fill out this field." },
      ],
    });
  });

  test("reports no invalid fields of a form that a script has sent and emptied", async () => {
    await stage.show(`<form onsubmit="event.preventDefault(); reset(); name.checkValidity()">
      <label>Name <input name="name" required></label><button>Send</button></form>
      <script>document.forms[0].elements.name.value = "Ann"</script>`);
    const { data } = await actionOn(stage, "click", "Send");
    expect(data).not.toHaveProperty("refused");
  });
});

describe("filling in a form", () => {
  const fields = [
    { label: "Name", value: "Ann" },
    { label: "Mail", value: "ann@example.com" },
    { label: "country", value: "Austria" },
    { label: "News", value: true },
    { label: "Card", value: "bill" },
    { label: "Day", value: "2026-11-22" },
    { label: "Note", value: 42 },
  ];

  test("fills, verifies and submits it", async () => {
    await stage.show(FORM);
    const filled = await stage.act("fill_form", { fields });
    expect(filled).toMatchObject({ success: true, data: { filled: 7 } });
    expect(filled.data.fields).toMatchObject([
      { label: "Name", success: true, value: "Ann" },
      { value: "ann@example.com" },
      { selected: ["Austria"] },
      { checked: true },
      { checked: true, value: "bill" },
      { value: "2026-11-22" },
      { value: "42" },
    ]);
    const sent = await stage.act("submit_form");
    expect(sent.data).toMatchObject({ submitted: true, form: "order", effect: "navigated" });
    expect(posted.at(-1)).toBe(
      "name=Ann&mail=ann%40example.com&country=Austria&news=on&pay=bill&day=2026-11-22&note=42",
    );
  });

  test("reports the fields that fail validation, and does not submit the form", async () => {
    await stage.show(FORM);
    const before = posted.length;
    await actionOn(stage, "type", "Mail", { text: "nobody" });
    const refused = await actionOn(stage, "submit_form", "Mail");
    expect(refused.data).toMatchObject({
      code: "form_invalid",
      fields: [
        { name: "name", label: "Name" },
        { name: "mail", label: "Mail", message: expect.stringContaining("@") },
      ],
    });
    expect(posted.length).toBe(before);
    // With `submit`, one call of `fill_form` fills the fields and submits the form.
    const all = await stage.act("fill_form", { fields: fields.slice(0, 1), submit: true });
    expect(all.data).toMatchObject({ code: "form_invalid", fields: [{ name: "mail" }] });
  });

  test("reports whether the page accepted or refused a form that a script submits", async () => {
    await stage.show(`<form id="own" novalidate><label>City <input name="city" aria-describedby="why"></label><p id="why"></p><button>Go</button></form>
      <script>own.addEventListener("submit", (event) => { event.preventDefault();
        if (own.city.value) return did.push("sent " + own.city.value);
        setTimeout(() => { own.city.ariaInvalid = "true"; own.city.setAttribute("aria-invalid", "true"); why.textContent = "A city, please"; }, 50); });</script>`);
    expect((await stage.act("submit_form")).data).toMatchObject({
      code: "form_invalid",
      fields: [{ name: "city", label: "City", message: "A city, please" }],
    });
    await stage.run(`document.querySelector("input").removeAttribute("aria-invalid")`);
    await actionOn(stage, "type", "City", { text: "Graz" });
    expect((await stage.act("submit_form")).data).toMatchObject({ submitted: true, by_page: true });
    expect(await did()).toBe("sent Graz");
  });

  test.if(isFull)("submits the only form with a field, and not a form beside it that signs out", async () => {
    // In Django since version 5, in Rails and in Bugsink, the control that signs the user out is a form too.
    await stage.show(`<form id="out" onsubmit="did.push('out'); return false"><input type="hidden" name="t"><button>Log out</button></form>
      <form onsubmit="did.push('sent'); return false"><input name="city" value="Graz"><button>Save</button></form>`);
    expect((await stage.act("submit_form")).success).toBe(true);
    expect(await did()).toBe("sent");
  });

  test.if(isFull)(
    "returns the text after a field that the page marks as invalid, even if the field does not refer to the text",
    async () => {
      // As in Bugsink and in the forms of Django, the message of a field follows the field, but the field has no
      // reference to it.
      await stage.show(`<form id="own" novalidate><div><div>Email:</div><input name="email"><div id="why"></div></div>
      <div><input name="role" value="Admin"><div>Only admins invite.</div></div><button>Go</button></form>
      <script>own.addEventListener("submit", (event) => { event.preventDefault();
        setTimeout(() => { own.email.setAttribute("aria-invalid", "true"); why.textContent = "No user with this address."; }, 50); });</script>`);
      expect((await stage.act("submit_form")).data).toMatchObject({
        code: "form_invalid",
        fields: [{ name: "email", message: "No user with this address." }],
      });
    },
  );

  test.if(isFull)("is undone by reset_form, which restores the initial values", async () => {
    await stage.show(FORM);
    await stage.act("fill_form", { fields });
    expect((await stage.act("reset_form")).data).toMatchObject({ reset: true });
    expect(await stage.run(`new URLSearchParams(new FormData(order)).toString()`)).toBe(
      "name=&mail=&country=France&day=&note=",
    );
    await stage.run(`order.addEventListener("reset", (event) => event.preventDefault())`);
    await actionOn(stage, "type", "Name", { text: "Ann" });
    expect((await stage.act("reset_form")).data).toMatchObject({ code: "not_applied", fields: ["name"] });
  });

  test.if(isFull)("changes nothing if a field is missing, and names the missing field", async () => {
    await stage.show(`${FORM}<form><input aria-label="Short" maxlength="2"></form>`);
    const none = await stage.act("fill_form", {
      fields: [
        { label: "Name", value: "Ann" },
        { label: "Planet", value: "Mars" },
      ],
    });
    expect(none.data).toMatchObject({ code: "element_not_found", label: "Planet" });
    expect(await stage.run("order.elements.name.value")).toBe("");
    const part = await stage.act("fill_form", {
      fields: [
        { label: "Name", value: "Ann" },
        { label: "Short", value: "abc" },
        { label: "Country", value: "Mars" },
        { label: "Note", value: true },
      ],
    });
    expect(part.data).toMatchObject({ code: "not_applied", filled: 1 });
    expect(part.data.fields).toMatchObject([
      { success: true },
      { success: false, code: "not_applied" },
      { success: false, code: "invalid_params" },
      { success: false, code: "invalid_params" },
    ]);
    await stage.run("document.activeElement.blur()");
    expect((await stage.act("submit_form")).data).toMatchObject({
      code: "invalid_params",
      forms: ["order", "form"],
    });
  });

  test("fills in the fields of a form in a shadow root or in a frame", async () => {
    const inner = `<form action='/sent' method='post'><input name='q' aria-label='Inner'><button>Go</button></form>`;
    await stage.show(`<div id="host"></div><iframe srcdoc="${inner}"></iframe><script>
      host.attachShadow({ mode: "open" }).innerHTML = "<form><input aria-label='Shadow' name='s' required><button>Go</button></form>"</script>`);
    expect((await actionOn(stage, "submit_form", "Shadow")).data).toMatchObject({
      code: "form_invalid",
      fields: [{ name: "s" }],
    });
    await actionOn(stage, "type", "Inner", { text: "framed" });
    expect((await actionOn(stage, "submit_form", "Inner")).data).toMatchObject({ submitted: true });
    expect(posted.at(-1)).toBe("q=framed");
  });
});

describe("submitting a form whose button sends a request by script", () => {
  const STATISTICS = 'fetch("/statistics", { method: "POST", body: "click on Add" });';
  /**
   * Shows a form with one text field, and submits it by `submit_form`. The form's button runs the script, and does
   * not send the form itself.
   */
  const submitWith = async (script: string, text = "Blue harbour") => {
    await stage.show(`<form id="tag" method="post" action="/sent"><label>Tag <input name="tag" value="${text}"></label>
      <p id="note"></p><button>Add</button></form><script>document.querySelector("button").addEventListener("click", (event) => {
        event.preventDefault(); const field = tag.elements.tag; ${script} });</script>`);
    return await stage.act("submit_form");
  };
  const answer = (status: number) =>
    stage.site.routes.set("/add", async (request) => {
      posted.push(await request.text());
      return new Response("{}", { status });
    });
  const XHR = `const call = new XMLHttpRequest(); call.open("POST", "/add"); call.send(new URLSearchParams(new FormData(tag)));`;
  const FETCH = `fetch("/add", { method: "POST", body: JSON.stringify({ label: field.value }) })`;

  for (const [way, script, body] of [
    ["XMLHttpRequest", XHR, "tag=Blue+harbour"],
    ["fetch after a moment", `setTimeout(() => ${FETCH}, 20);`, '{"label":"Blue harbour"}'],
  ] as const) {
    test(`reports the HTTP status with which the server has answered the request (${way})`, async () => {
      answer(200);
      expect(await submitWith(script)).toMatchObject({
        success: true,
        data: { submitted: true, by_page: true, evidence: "request", http_status: 200 },
      });
      expect(posted.at(-1)).toBe(body);
    });
  }

  test("fails if the server refuses the request, or if the page then shows an error beside a field", async () => {
    answer(422);
    const refused = await submitWith(XHR);
    expect(refused.data).toMatchObject({ code: "form_invalid", pressed: true });
    expect(refused.error).toContain("HTTP status 422");
    answer(200);
    const marked = `${FETCH}.then(() => { field.setAttribute("aria-invalid", "true"); field.setAttribute("aria-describedby", "note"); note.textContent = "This tag exists"; });`;
    expect((await submitWith(marked)).data).toMatchObject({
      code: "form_invalid",
      fields: [{ name: "tag", message: "This tag exists" }],
      pressed: true,
    });
  });

  test.if(isFull)(
    "fails if the script only validates the form, even if the page sends statistics about the click",
    async () => {
      stage.site.routes.set("/statistics", () => new Response("{}"));
      for (const script of ["", STATISTICS]) {
        expect((await submitWith(script)).data).toMatchObject({ code: "not_applied" });
      }
      const named = `${STATISTICS} field.setAttribute("aria-invalid", "true"); field.setAttribute("aria-describedby", "note"); note.textContent = "Too long";`;
      expect((await submitWith(named)).data).toMatchObject({
        code: "form_invalid",
        fields: [{ name: "tag", message: "Too long" }],
      });
    },
  );
});

describe("uploading files", () => {
  const listing = `[...document.querySelector("input[type=file]").files].map((file) => file.name + ":" + file.size + ":" + file.type).join()`;

  test("accepts a file of the upload folder or given content, for a file input or its label", async () => {
    await stage.show(
      `<label id="l">Pick <input type="file" multiple style="display:none" accept=".csv,text/plain" onchange="did.push(files.length)"></label>`,
    );
    const put = await actionOn(stage, "upload_file", "Pick", { path: "list.csv" });
    expect(put.data).toMatchObject({ uploaded: ["list.csv"], files: [{ name: "list.csv", size: 8 }] });
    expect(await stage.run(listing)).toBe("list.csv:8:text/csv");
    const two = await actionOn(stage, "upload_file", "Pick", {
      files: [{ path: "inner/note.txt" }, { name: "p.png", content: "iVBORw0KGgo=", encoding: "base64" }],
    });
    expect(two.data).toMatchObject({ uploaded: ["note.txt", "p.png"], not_accepted: ["p.png"] });
    expect(await stage.run(listing)).toBe("note.txt:4:text/plain,p.png:8:image/png");
    expect(await did()).toBe("1,2");
  });

  test.if(isFull)(
    "passes the file to a button that opens a file chooser, and to an area for dropped files",
    async () => {
      await stage.show(`<button onclick="const i = document.createElement('input'); i.type = 'file'; i.onchange = () => did.push(i.files[0].name); i.click()">Attach</button>
      <div tabindex="0" aria-label="Zone" role="button" style="height:60px">Drop here</div><button>Plain</button><script>
      const zone = document.querySelector("[aria-label=Zone]");
      zone.addEventListener("dragover", (event) => event.preventDefault());
      zone.addEventListener("drop", (event) => { event.preventDefault(); did.push("dropped " + event.dataTransfer.files[0].name); });</script>`);
      expect((await actionOn(stage, "upload_file", "Attach", { path: "list.csv" })).data).toMatchObject({
        uploaded: ["list.csv"],
      });
      expect((await actionOn(stage, "upload_file", "Drop here", { path: "list.csv" })).data).toMatchObject({
        dropped: true,
      });
      expect(await did()).toBe("list.csv,dropped list.csv");
      expect((await actionOn(stage, "upload_file", "Plain", { path: "list.csv" })).data).toMatchObject({
        code: "not_applied",
      });
    },
  );

  test("reads files only from the upload folder", async () => {
    await stage.show(`<input type="file" aria-label="One">`);
    for (const [path, code] of [
      ["../secret.txt", "file_not_allowed"],
      ["/etc/passwd", "file_not_allowed"],
      ["link.txt", "file_not_allowed"],
      ["inner", "file_not_allowed"],
      ["none.txt", "file_not_found"],
    ]) {
      expect([path, (await actionOn(stage, "upload_file", "One", { path })).data.code]).toEqual([path, code]);
    }
    const files = [{ path: "list.csv" }, { path: "inner/note.txt" }];
    expect((await actionOn(stage, "upload_file", "One", { files })).data).toMatchObject({
      code: "invalid_params",
    });
    // Both files are invalid, so reading each of them fails. The action reports one of the errors. The other
    // error must not become an unhandled rejection, which would end the thread.
    const both = [{ path: "none.txt" }, { name: "a.txt", content: "no base64!", encoding: "base64" }];
    expect((await actionOn(stage, "upload_file", "One", { files: both })).data.code).toBeOneOf([
      "file_not_found",
      "invalid_params",
    ]);
    await Bun.sleep(20);
    expect(await stage.run(listing)).toBe("");
  });
});

describe("fill_form finds a field", () => {
  test("by its label on the current page, even if the last analysis showed another page", async () => {
    await stage.show(`<input aria-label="Old">`);
    stage.site.routes.set("/keys", html("Keys", `<label>API Key <input id="k"></label>`));
    await stage.act("navigate", { url: stage.site.url("/keys") });
    const filled = await stage.act("fill_form", { fields: [{ label: "API Key", value: "x" }] });
    expect([filled.success, await stage.run("k.value")]).toEqual([true, "x"]);
  });

  test("by a unique label that contains the given one, and otherwise returns the existing labels", async () => {
    await stage.show(`<label>Email address * (required) <input id="e"></label>
      <label>First name <input id="f"></label><label>Last name <input id="l"></label><label>Company size <input id="s"></label>`);
    const filled = await stage.act("fill_form", { fields: [{ label: "Email address", value: "a@b.c" }] });
    expect(filled.data.fields).toMatchObject([
      { success: true, label: "Email address", name: "Email address * (required)" },
    ]);
    expect(await stage.run("e.value")).toBe("a@b.c");
    const two = await stage.act("fill_form", { fields: [{ label: "Name", value: "Ann" }] });
    expect(two.data).toMatchObject({
      code: "invalid_params",
      candidates: [{ line: expect.stringContaining("First name") }, {}],
    });
    // A label that only ends with the requested word does not name the field: "Company size" may mean
    // something else than "Size".
    const none = await stage.act("fill_form", { fields: [{ label: "Size", value: "XL" }] });
    expect(none.data).toMatchObject({
      code: "element_not_found",
      candidates: [{ line: expect.stringContaining("Company size") }, {}, {}, {}],
    });
    expect(await stage.run("[f, l, s].map((one) => one.value).join('')")).toBe("");
  });

  test.if(isFull)(
    "by the name of its group, or by the names of its group and itself (Title: English), as tasks of a map name it",
    async () => {
      const language = (text: string) =>
        `<fieldset><legend>${text} Optional:</legend><input name="${text}_en" aria-label="English"><input name="${text}_de" aria-label="German"></fieldset>`;
      await stage.show(`<form>${language("Title")}
      <label for="short">Summary (required)</label><div id="short"><input name="short_en" aria-label="English"></div>
      <div role="group" aria-label="Colour"><input name="colour" placeholder="#000000"></div>
      <div role="radiogroup" aria-labelledby="how"><b id="how">Payment</b>
        <label><input type="radio" name="pay" value="card"> Card</label> <label><input type="radio" name="pay" value="bill"> Bill</label></div></form>`);
      const fields = [
        { label: "Title Optional: English", value: "Harbour" },
        { label: "German", value: "Hafen" },
        { label: "Summary", value: "Boats" },
        { label: "Colour", value: "#aabbcc" },
        { label: "Payment", value: "Bill" },
      ];
      expect((await stage.act("fill_form", { fields })).error).toBeNull();
      expect(await stage.run("new URLSearchParams(new FormData(document.forms[0])).toString()")).toBe(
        "Title_en=Harbour&Title_de=Hafen&short_en=Boats&colour=%23aabbcc&pay=bill",
      );
      const shared = await stage.act("fill_form", { fields: [{ label: "English", value: "x" }] });
      expect(shared.data).toMatchObject({ code: "invalid_params", candidates: [{}, {}] });
      const whole = await stage.act("fill_form", { fields: [{ label: "Title", value: "x" }] });
      expect(whole.success).toBe(false);
    },
  );

  test.if(isFull)(
    "by its accessible name, for radio buttons, sliders, spin buttons and buttons that open a list",
    async () => {
      await stage.show(`<div id="r" role="radio" aria-checked="false" tabindex="0">Phone</div>
      <div id="v" role="slider" tabindex="0" aria-label="Volume" aria-valuenow="20" style="width: 16px; height: 16px; background: blue"></div>
      <div id="n" role="spinbutton" tabindex="0" aria-label="Guests" aria-valuenow="2">2</div>
      <label for="s">Size</label> <button id="s" aria-haspopup="dialog">Pick</button>
      <div role="dialog" id="p" hidden><button role="radio" aria-checked="false">Small</button><button role="radio" aria-checked="false">Large</button></div>
      <script>
        r.onclick = () => { r.ariaChecked = "true"; };
        let at = 20; v.onkeydown = ({ key }) => { at += { ArrowRight: 1, ArrowLeft: -1 }[key] ?? 0; setTimeout(() => v.setAttribute("aria-valuenow", at), 30); };
        n.onkeydown = ({ key }) => n.setAttribute("aria-valuenow", Number(n.ariaValueNow) + ({ ArrowUp: 1, ArrowDown: -1 }[key] ?? 0));
        s.onclick = () => { p.hidden = false; }; p.onclick = ({ target }) => { s.textContent = target.textContent; p.hidden = true; };
      </script>`);
      const fields = [
        { label: "Phone", value: true },
        { label: "Volume", value: 47 },
        { label: "Guests", value: 4 },
        { label: "Size", value: "Large" },
      ];
      expect((await stage.act("fill_form", { fields })).data.fields).toMatchObject([
        { checked: true },
        { value: "47" },
        { value: "4" },
        { selected: ["Large"] },
      ]);
      expect(await stage.run("r.ariaChecked + at + n.ariaValueNow + s.textContent")).toBe("true474Large");
    },
  );
});

test("a file is uploaded to a component by its label, if the component contains exactly one file input", async () => {
  await stage.show(`<div><x-label></x-label><x-upload></x-upload></div><script>
    const shadow = (name, inner) => customElements.define(name, class extends HTMLElement { constructor() { super(); this.attachShadow({ mode: "open" }).innerHTML = inner; } });
    shadow("x-label", "<label style='cursor: pointer'>Resume</label>"); shadow("x-upload", "<input type=file aria-label=Resume>");
    document.querySelector("x-label").shadowRoot.firstChild.addEventListener("click", () => {});</script>`);
  const data = await stage.analyze();
  const label = data.highlightedElements.find(({ tagName }) => tagName === "label");
  const put = await stage.act("upload_file", { index: label?.highlight_index, path: "list.csv" });
  expect(put.data).toMatchObject({ uploaded: ["list.csv"] });
});

/**
 * A form whose button is in the title bar above it, as in Vendure and Magento. The form's `onsubmit` keeps
 * the browser from sending it.
 */
const barAbove = (
  script: string,
) => `<header><button type="button" onclick="${script}">Create</button></header>
  <form onsubmit="return false"><label>Name <input id="who" value="Berta"></label></form>`;

test.if(isFull)("submit_form presses the button in the title bar above a form without a button", async () => {
  await stage.show(barAbove("fetch('/sent', { method: 'POST', body: who.value })"));
  const before = posted.length;
  const { error, data } = await actionOn(stage, "submit_form", "Name");
  expect(error).toBeNull();
  expect({ data, sent: posted.slice(before) }).toMatchObject({
    data: { submitted: true, evidence: "request" },
    sent: ["Berta"],
  });
});

/** A form without a submit button, as in Ghost: a script reads its fields when Save is clicked. */
const savedByClick = (button: string, fields = ""): string =>
  `<form><label>Name <input id="who" name="name" value="Berta"></label> <label>Slug <input name="slug" value="berta"></label>${fields}${button}</form>`;

test.if(isFull)(
  "submit_form presses Save inside of a form that only the script of this button sends",
  async () => {
    const save = `<button type="button" onclick="fetch('/sent', { method: 'POST', body: who.value })">Save</button>`;
    for (const fields of ["", `<ul><input type="search" placeholder="Labels"></ul>`]) {
      await stage.show(savedByClick(save, fields));
      const before = posted.length;
      const { error, data } = await actionOn(stage, "submit_form", "Name");
      expect({ error, data, sent: posted.slice(before) }).toMatchObject({
        error: null,
        data: { submitted: true, evidence: "request" },
        sent: ["Berta"],
      });
    }
  },
);

test("submit_form reports no success if the form would only open its own page again, with the fields' texts in the address", async () => {
  await stage.show(savedByClick(`<button type="button">Store it</button>`));
  const { success, data } = await actionOn(stage, "submit_form", "Name");
  expect({ success, code: data.code }).toEqual({ success: false, code: "not_applied" });
  expect(await stage.run("location.search")).toBe("");
});

test.if(isFull)("submit_form reports no success if the button in the title bar sends nothing", async () => {
  await stage.show(barAbove(""));
  const { success, data } = await actionOn(stage, "submit_form", "Name");
  expect({ success, code: data.code }).toEqual({ success: false, code: "not_applied" });
});

test.if(isFull)(
  "submit_form reports no success if a script stops a form without a button and nothing follows",
  async () => {
    await stage.show('<form onsubmit="return false"><label>Name <input value="Berta"></label></form>');
    const { success, data } = await actionOn(stage, "submit_form", "Name");
    expect({ success, code: data.code }).toEqual({ success: false, code: "not_applied" });
  },
);

test.if(isFull)(
  "submit_form presses the button in the title bar, and no button Remove without a type inside of the form",
  async () => {
    await stage.show(`<header><button onclick="fetch('/sent', { method: 'POST', body: who.value })">Update</button></header>
    <form onsubmit="return false"><label>Name <input id="who" value="Berta"></label>
    <button></button><fieldset id="part">Condition <button onclick="part.remove()">Remove</button></fieldset></form>`);
    const before = posted.length;
    const { error } = await actionOn(stage, "submit_form", "Name");
    expect({ error, sent: posted.slice(before), part: await stage.run("part.isConnected") }).toEqual({
      error: null,
      sent: ["Berta"],
      part: true,
    });
  },
);

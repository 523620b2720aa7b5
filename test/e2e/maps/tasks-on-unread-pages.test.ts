/**
 * Tests tasks whose forms are on pages that the exploration did not read. The site's server records the requests that
 * change something.
 */
import { beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { html } from "../../sites/test-site-with-given-routes.ts";
import { siteOfTests } from "../../support/site-for-one-test-file.ts";
import { isFull } from "../../test-run-tier-and-seed.ts";
import { exploreIntoMap } from "../support/explore-to-the-end.ts";
import { cairnOfTests } from "../support/shared-test-cairn.ts";

const TIMEOUT = 60_000;
setDefaultTimeout(TIMEOUT);

const changes: Record<string, string>[] = [];

const SHOPS = ["north", "south"];
const CRATES = [
  { id: 1, name: "Blue crate" },
  { id: 2, name: "Red crate" },
];
const page = (title: string, body: string) => html(`${title} - Depot`, `<h1>${title}</h1>${body}`);
/** Returns the route of a page with a form. The server records what the form sends. */
const formPage = (title: string, fields: string, about: Readonly<Record<string, string>> = {}) => {
  const body = `<form method="post">${fields}<button>Save</button></form>`;
  return async (request: Request) => {
    if (request.method === "GET") return page(title, body);
    changes.push({ ...about, ...Object.fromEntries(new URLSearchParams(await request.text())) });
    return page("Saved", "");
  };
};
const REMARKS = ["Grease them twice", "New boots hurt"];
const ORDERINGS = ["name", "date", "place", "size"];

const site = siteOfTests({
  "/": page(
    "Start",
    '<a href="/coupons/">Coupons</a> <a href="/crates/">Crates</a> <a href="/shops/">Shops</a> <a href="/reports/">Reports</a> <a href="/tokens/">Tokens</a> <a href="/plans/">Plans</a> <a href="/berths/">Berths</a> <a href="/remarks/">Remarks</a>',
  ),
  // Each row of Flask-AppBuilder begins with its links, and the name of the object is plain text.
  "/berths/": page(
    "List Berth",
    `<form><input placeholder="Time zone"></form><a href="/berths/add">Add</a><table>${[
      "North quay",
      "South quay",
    ]
      .map(
        (name, at) =>
          `<tr><td><a href="/berths/show/${at}">Show</a> <a href="/berths/copy/${at}">Copy</a> <a href="/berths/edit/${at}">Edit</a> <a href="/berths/delete/${at}">Delete</a></td><td>${name}</td><td>5</td></tr>`,
      )
      .join("")}</table>`,
  ),
  "/berths/edit/0": formPage("Edit Berth", '<label>Depth <input name="depth" value="5"></label>', {
    berth: "North quay",
  }),
  "/berths/edit/1": formPage("Edit Berth", '<label>Depth <input name="depth" value="5"></label>', {
    berth: "South quay",
  }),
  "/berths/add": formPage(
    "Add Berth",
    '<label>Berth <input name="name" required></label><label>Depth <input name="depth"></label>',
  ),
  // The link "Edit" of a row is visible only under the pointer, as in WordPress.
  "/remarks/": page(
    "Remarks",
    `<style>td a { visibility: hidden } tr:hover a { visibility: visible }</style><table><tr><th></th><th>Remark</th></tr>${REMARKS.map(
      (text, at) =>
        `<tr><td><input type="checkbox" name="chosen"></td><td>${text} <a href="/remarks/${at}/edit">Edit</a></td></tr>`,
    ).join("")}</table>`,
  ),
  ...Object.fromEntries(
    REMARKS.map((remark, at) => [
      `/remarks/${at}/edit`,
      formPage("Edit Remark", `<label>Text <input name="text" value="${remark}"></label>`, { remark }),
    ]),
  ),
  "/coupons/": page(
    "Coupons",
    '<a href="/coupons/add">Create a new coupon</a> <a href="/coupons/bulk">Create several new coupons</a>',
  ),
  "/coupons/add": formPage(
    "New coupon",
    '<label>Code <input name="code" required></label><label>Uses <input name="uses"></label>',
  ),
  "/crates/": page(
    "Crates",
    CRATES.map(
      ({ id, name }) =>
        `<p><a href="/crates/${id}/">${name}</a> <a href="/crates/${id}/delete" title="Delete">x</a></p>`,
    ).join(""),
  ),
  ...Object.fromEntries(
    CRATES.flatMap(({ id, name }) => [
      [`/crates/${id}/`, page(name, `<a href="/crates/${id}/change">Edit crate</a>`)],
      [
        `/crates/${id}/change`,
        formPage("Edit crate", '<label>Size <input name="size" value="1"></label>', { crate: name }),
      ],
      [
        `/crates/${id}/delete`,
        () => {
          changes.push({ deleted: name });
          return page("Deleted", "");
        },
      ],
    ]),
  ),
  "/shops/": page(
    "Shops",
    SHOPS.map((shop) => `<p>${shop} <a href="/shops/${shop}/vouchers/">Vouchers</a></p>`).join(""),
  ),
  ...Object.fromEntries(
    SHOPS.flatMap((shop) => [
      [`/shops/${shop}/`, page(`Shop ${shop}`, `<a href="/shops/${shop}/vouchers/">Vouchers</a>`)],
      [
        `/shops/${shop}/vouchers/`,
        page("Vouchers", `<a href="/shops/${shop}/vouchers/add">Create a voucher</a>`),
      ],
      [
        `/shops/${shop}/vouchers/add`,
        formPage("Create a voucher", '<label>Code <input name="code"></label>', { shop }),
      ],
    ]),
  ),
  "/reports/": page("Reports", "None"),
  "/badges/": page(
    "Badges",
    '<a href="/badges/add">Create a badge</a> <a href="/badges/1/">Gold</a> <a href="/account/settings">Account settings</a>' +
      '<form method="post" action="/save_query/"><label>Query name <input name="title"></label><button>Save</button></form>',
  ),
  "/badges/add": formPage("Create a badge", '<label>Code <input name="code"></label>'),
  ...Object.fromEntries(
    ["1", "2"].map((badge) => [
      `/badges/${badge}/`,
      formPage("Badge", '<label>Uses <input name="uses"></label>', { badge }),
    ]),
  ),
  "/account/settings": formPage("Account settings", '<label>Nickname <input name="nickname"></label>'),
  "/save_query/": async (request) => {
    changes.push(Object.fromEntries(new URLSearchParams(await request.text())));
    return page("Saved", "");
  },
  // A dialog without a form. A button without an address opens it. The button "New badge" on the same page is for
  // another thing.
  "/tokens/": async (request) => {
    if (request.method === "POST") {
      changes.push(await request.json());
      return page("Saved", "");
    }
    return page(
      "Tokens",
      `<button onclick="ask.style.display = 'block'">New token</button><button onclick="fetch('', { method: 'POST', body: JSON.stringify({ badge: 'X' }) })">New badge</button>
       <div id="ask" role="dialog" aria-modal="true" style="display: none; position: fixed; inset: 0; background: white"><label>Purpose <input id="purpose"></label>
       <button onclick="ask.style.display = 'none'">Cancel</button>
       <button onclick="fetch('', { method: 'POST', body: JSON.stringify({ token: purpose.value }) }).then(() => { ask.style.display = 'none'; })">Save</button></div>`,
    );
  },
  // The form is on another page, which a script of this page opens.
  "/plans/": page("Plans", `<button onclick="location.assign('/plans/draft')">Create</button>`),
  "/plans/draft": formPage("New plan", '<label>Title <input name="title"></label>'),
  "/meetings": async (request) => {
    const own = new URL(request.url);
    if (request.method === "POST") {
      changes.push(Object.fromEntries(new URLSearchParams(await request.text())));
      return page("Saved", "");
    }
    const links = ORDERINGS.map((name) => `<a href="/meetings?ordering=${name}">by ${name}</a>`).join(" ");
    return page(
      "Meetings",
      `${links}<form method="post" action="${own.pathname}${own.search}"><label>Topic <input name="topic"></label><button>Add meeting</button></form>`,
    );
  },
});

const cairn = await cairnOfTests();

beforeAll(async () => {
  const explore = (id: string, path: string, limits: object) =>
    exploreIntoMap(cairn, id, { start_url: site.url(path), render: "http", ...limits });
  await explore("depot", "/", { max_pages: 1 });
  await explore("depot-unused", "/", { max_pages: 1 });
  if (!isFull) return;
  await explore("meetings", "/meetings", {});
  await explore("badges", "/badges/", {});
});

const execute = async (
  target: string,
  parameters: Readonly<Record<string, unknown>>,
  { room, at = "/", map = "depot" }: { room: string; at?: string; map?: string },
) => {
  changes.length = 0;
  await cairn.call("start_browser_session", { room_name: room, initial_url: site.url(at) });
  const context = { room_name: room, parameters };
  const question = { instruction_type: "execute_task", target, execute: true, context };
  return (await cairn.post(`/api/knowledge/${map}/query`, question)).body;
};
const addressIn = async (room: string) =>
  (await cairn.call("get_browser_context", { room_name: room })).body.url;

test.if(isFull)(
  "a task finds its form on a page that no exploration has read, behind a list that no exploration has read",
  async () => {
    const done = await execute("create a coupon", { code: "MAY", uses: "4" }, { room: "coupon" });
    expect([done.error, changes]).toEqual([null, [{ code: "MAY", uses: "4" }]]);
  },
);

test.if(isFull)(
  "a task finds a form that no exploration has read, from a page whose link to the form is not on the map",
  async () => {
    const done = await execute("create a coupon", { code: "JUNE" }, { room: "reports", at: "/reports/" });
    expect([done.error, changes]).toEqual([null, [{ code: "JUNE", uses: "" }]]);
  },
);

test.if(isFull)(
  "a task that lacks a required value of a form that no exploration has read names the value, and sends nothing",
  async () => {
    // No task has used the map `depot-unused` before, so this map lacks the form.
    const unused = { room: "lacking", map: "depot-unused" };
    const refused = await execute("create a coupon", { uses: "4" }, unused);
    expect(refused.metadata).toMatchObject({
      code: "task.missing_parameters",
      page: { url: site.url("/coupons/add") },
    });
    const unknown = await execute("create a coupon", { code: "A", colour: "red" }, { room: "colour" });
    expect(unknown.metadata).toMatchObject({ code: "task.unknown_parameters" });
    expect(unknown.error).toContain("has no field for colour");
    expect(changes).toEqual([]);
  },
);

test("a task that names an object opens the link with the object's name, and changes this object", async () => {
  const done = await execute('edit the crate "Red crate"', { size: "9" }, { room: "crate" });
  expect([done.error, changes]).toEqual([null, [{ crate: "Red crate", size: "9" }]]);
});

test.if(isFull)(
  "a task opens the link Edit in the row with the object's name, and changes this object",
  async () => {
    const done = await execute('edit the berth "South quay"', { depth: "9" }, { room: "berth" });
    expect([done.error, changes]).toEqual([null, [{ berth: "South quay", depth: "9" }]]);
  },
);

test.if(isFull)("a task finds the link Edit of a row that is visible only under the pointer", async () => {
  const done = await execute('edit the remark "New boots hurt"', { text: "New" }, { room: "remark" });
  expect([done.error, changes]).toEqual([null, [{ remark: "New boots hurt", text: "New" }]]);
});

test.if(isFull)(
  "a task finds the object that it deletes in a row whose text begins with the captions of controls",
  async () => {
    const refused = await execute('delete the berth "North quay"', {}, { room: "berth-delete" });
    expect(refused.metadata).toMatchObject({ code: "task.approval_needed", object: { name: "North quay" } });
    expect(changes).toEqual([]);
  },
);

test.if(isFull)(
  "a form in the frame of the page that has no field for a value of the task is not used to create the object",
  async () => {
    const refused = await execute("create a berth", { berth: "Pier", colour: "red" }, { room: "berth-form" });
    expect(refused.metadata).toMatchObject({
      code: "task.unknown_parameters",
      unknown_parameters: ["colour"],
    });
    expect(refused.metadata.page).toMatchObject({ url: site.url("/berths/add") });
    expect(changes).toEqual([]);
  },
);

test("a link that may delete something is not opened without an approval of the removal", async () => {
  const refused = await execute('delete the crate "Red crate"', {}, { room: "delete" });
  expect(refused.success).toBe(false);
  expect(refused.metadata).toMatchObject({ code: "task.approval_needed", risk: "delete" });
  expect(refused.error).toContain("/crates/2/delete");
  expect(changes).toEqual([]);
});

test.if(isFull)(
  "a task that names none of two shops is refused with the links of both, and runs if the session shows a page of one shop",
  async () => {
    const refused = await execute("create a voucher", { code: "X" }, { room: "shops", at: "/shops/" });
    expect(refused.success).toBe(false);
    expect(refused.metadata.unclear_links.map(({ url }: { url: string }) => url)).toEqual(
      SHOPS.map((shop) => site.url(`/shops/${shop}/vouchers/`)),
    );
    expect(changes).toEqual([]);
    const done = await execute("create a voucher", { code: "X" }, { room: "shop", at: "/shops/south/" });
    expect([done.error, changes]).toEqual([null, [{ shop: "south", code: "X" }]]);
  },
);

test.if(isFull)(
  "the refusal of a task names the pages that were read for it, and the session shows the same page as before the task",
  async () => {
    const refused = await execute("create a volcano coupon", { height: "4" }, { room: "volcano" });
    expect(refused.success).toBe(false);
    expect(refused.metadata.pages_read[0]).toMatchObject({ url: site.url("/") });
    expect(refused.error).toContain("Nothing was done");
    expect([await addressIn("volcano"), changes]).toEqual([site.url("/"), []]);
  },
);

test.if(isFull)(
  "a form on the pages of a list counts as one form, although the map has this list in several orders",
  async () => {
    const done = await execute(
      "add a meeting",
      { topic: "Paint" },
      { room: "meeting", at: "/reports/", map: "meetings" },
    );
    expect([done.error, changes]).toEqual([null, [{ topic: "Paint" }]]);
  },
);

test.if(isFull)(
  "a task edits an object that it names or whose page the session shows, and not simply the only object of the map",
  async () => {
    const refused = await execute("edit the badge", { uses: "9" }, { room: "badge", map: "badges" });
    expect(refused.metadata).toMatchObject({
      code: "task.which_page",
      pages: [{ url: site.url("/badges/1/") }],
    });
    expect(refused.error).toContain('edit the badge "NAME"');
    expect(changes).toEqual([]);
    const named = await execute("edit badge 1", { uses: "9" }, { room: "badge-named", map: "badges" });
    expect([named.error, changes]).toEqual([null, [{ badge: "1", uses: "9" }]]);
    const shown = { room: "badge-shown", at: "/badges/2/", map: "badges" };
    const unread = await execute("edit the badge", { uses: "8" }, shown);
    expect([unread.error, changes]).toEqual([null, [{ badge: "2", uses: "8" }]]);
  },
);

test.if(isFull)(
  "a task to edit an object does not send the list's form for something else, and a task to edit settings needs no object's name",
  async () => {
    for (const [at, room] of [
      ["/", "query"],
      ["/badges/", "query-list"],
    ] as const) {
      const refused = await execute("edit the badge", { title: "X" }, { room, at, map: "badges" });
      expect([refused.success, changes]).toEqual([false, []]);
    }
    const account = { room: "account", map: "badges" };
    const done = await execute("edit the account settings", { nickname: "Ann" }, account);
    expect([done.error, changes]).toEqual([null, [{ nickname: "Ann" }]]);
  },
);

test("a button without an address is pressed if it opens the form of the task, in a dialog or on another page", async () => {
  const token = await execute("create a token", { purpose: "Backup" }, { room: "token" });
  expect([token.error, changes]).toEqual([null, [{ token: "Backup" }]]);
  const plan = await execute("create a plan", { title: "Winter" }, { room: "plan" });
  expect([plan.error, changes]).toEqual([null, [{ title: "Winter" }]]);
});

test.if(isFull)(
  "a form that a task has found in the session is on the map afterwards, so the next task needs no search",
  async () => {
    const plan = async (target: string, parameters: Readonly<Record<string, string>>) =>
      (
        await cairn.post("/api/knowledge/depot/query", {
          instruction_type: "execute_task",
          target,
          context: { current_url: site.url("/"), parameters },
        })
      ).body;
    expect((await execute("create a coupon", { code: "MAY" }, { room: "learn" })).error).toBeNull();
    const known = await plan("create a coupon", { code: "JULY" });
    expect([known.error, known.metadata.screen_name]).toEqual([null, "New coupon"]);
    expect((await execute("create a token", { purpose: "One" }, { room: "learn-token" })).error).toBeNull();
    const dialog = await plan("create a token", { purpose: "Two" });
    expect(dialog.error).toBeNull();
    const again = await execute("create a token", { purpose: "Two" }, { room: "learn-again" });
    expect([again.error, again.metadata.execution.steps.length > 2, changes]).toEqual([
      null,
      true,
      [{ token: "Two" }],
    ]);
  },
);

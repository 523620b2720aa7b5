/**
 * Tests tasks that remove one object. The site's server keeps the objects and records each request that removes one, so a
 * wrong removal is seen.
 */
import { beforeAll, beforeEach, expect, test } from "bun:test";
import { html } from "../../sites/test-site-with-given-routes.ts";
import { siteOfTests } from "../../support/site-for-one-test-file.ts";
import { isFull } from "../../test-run-tier-and-seed.ts";
import { cairnOfTests } from "../support/shared-test-cairn.ts";

const TIMEOUT = 60_000;

/** The objects of the site, by the word of their list. */
const INITIAL: Readonly<Record<string, readonly string[]>> = {
  vouchers: ["SUMMER", "SUMMER 2025", "WINTER"],
  users: ["greta", "hugo"],
  badges: ["Gold", "Silver"],
  tokens: ["deploy", "backup"],
  labels: ["Fog", "Rain"],
  coupons: ["Twin", "Twin", "Single"],
  lamps: ["Desk", "Floor"],
  tags: ["blue", "red"],
  desks: ["Oak", "Elm"],
  teams: ["North", "South"],
  parcels: ["One", "Two", "Three", "Four", "Five"],
  letters: ["One", "Two", "Three", "Four", "Five"],
  stamps: ["One", "Two", "Three", "Four", "Five"],
  plates: ["Blue", "Green", "Grey"],
  spoons: ["Big", "Small"],
  mugs: ["Tall", "Wide"],
  jars: ["Round", "Square"],
  chores: ["Sweep", "Wash"],
  razors: ["Bread", "Cheese"],
  coins: ["One", "Two", "Three", "Four", "Five"],
  bolts: ["Long", "Short"],
  cups: ["Left", "Right"],
  forks: ["Old", "New one"],
  boxes: ["Oak", "Pine"],
  crates: ["Tin", "Iron"],
  feeds: ["Gazette", "Tides"],
  members: ["Ada B", "Finn A"],
};
let objects: Record<string, string[]> = {};
const removed: string[] = [];
/** Changes of chores that the server has received. */
const changes: string[] = [];
let isPinsBroken = false;

const page = (title: string, body: string, head = "") =>
  html(`${title} - Depot`, `<h1>${title}</h1>${body}`, head);
const remove = (list: string, at: number) => {
  removed.push(`${list}: ${objects[list]?.[at]}`);
  objects[list]?.splice(at, 1);
};
const seeOther = (path: string) => new Response(null, { status: 303, headers: { location: path } });
const rowsOf = (list: string, cells: (name: string, at: number) => string): string =>
  `<table><tr><th>Name</th><th></th></tr>${(objects[list] ?? []).map((name, at) => `<tr>${cells(name, at)}</tr>`).join("")}</table>`;

/** Answers requests for a list of objects. A POST request with `?remove=` removes an object. */
const listOf =
  (list: string, body: () => string, head = "") =>
  (request: Request) => {
    const at = new URL(request.url).searchParams.get("remove");
    if (request.method === "POST" && at !== null) {
      remove(list, Number(at));
      return seeOther(`/${list}/`);
    }
    const title = list.charAt(0).toUpperCase() + list.slice(1);
    return page(title, body(), head);
  };
/** A script that posts the address to remove the object at a position, and opens the list again. */
const POST = `const send = (list, at) => fetch('/' + list + '/?remove=' + at, { method: 'POST' }).then(() => location.assign('/' + list + '/'));`;

/**
 * A script that asks one question, which does not name the ticked rows, and then removes these rows. It starts with
 * the last one, so that the positions of the others stay right.
 */
const TICKS = `const ticked = () => [...document.querySelectorAll("td input")].flatMap((box, at) => (box.checked ? [at] : []));
  const ask = async (list) => {
    if (!confirm("Delete the selected " + list + "?")) return;
    for (const at of ticked().reverse()) await fetch("/" + list + "/?remove=" + at, { method: "POST" });
    location.assign("/" + list + "/");
  };`;
/** Returns rows with checkboxes that select them, and a checkbox for all rows. */
const selectable = (list: string): string =>
  `<table><thead><tr><th><input type="checkbox" aria-label="Select all" onchange="bars()"></th><th>Name</th></tr></thead><tbody>${(objects[list] ?? []).map((name) => `<tr><td><input type="checkbox" onchange="bars()"></td><td>${name}</td></tr>`).join("")}</tbody></table>`;
/** Returns the rows of those objects of a list that the page shows, each with a form that removes it. */
const partOf = (list: string, isShown: (name: string, at: number) => boolean): string =>
  `<table><tr><th>Name</th><th></th></tr>${(objects[list] ?? [])
    .map((name, at) =>
      isShown(name, at)
        ? `<tr><td>${name}</td><td><form method="post" action="/${list}/?remove=${at}"><button>Delete</button></form></td></tr>`
        : "",
    )
    .join("")}</table>`;

const site = siteOfTests({
  "/": () =>
    page(
      "Start",
      Object.keys(INITIAL)
        .concat("pins")
        .map((list) => `<a href="/${list}/">${list.charAt(0).toUpperCase()}${list.slice(1)}</a>`)
        .join(" "),
    ),
  // In this list, the link "Delete" leads to a page that asks for a confirmation by a form.
  "/vouchers/": listOf("vouchers", () =>
    rowsOf(
      "vouchers",
      (name, at) =>
        `<td><a href="/vouchers/${at}/change">${name}</a></td><td><a href="/vouchers/${at}/delete">Delete</a></td>`,
    ),
  ),
  ...Object.fromEntries(
    [0, 1, 2].flatMap((at) => [
      [`/vouchers/${at}/change`, () => page(`Voucher ${objects.vouchers?.[at]}`, "")],
      [
        `/vouchers/${at}/delete`,
        () =>
          page(
            "Delete voucher",
            `<p>Are you sure you want to delete the voucher <b>${objects.vouchers?.[at]}</b>?</p>
             <form method="post" action="/vouchers/?remove=${at}"><a href="/vouchers/">Cancel</a> <button>Delete</button></form>`,
          ),
      ],
    ]),
  ),
  // In this list, the control is an icon, and the browser asks for a confirmation in a native dialog.
  "/users/": listOf(
    "users",
    () =>
      rowsOf(
        "users",
        (name, at) =>
          `<td>${name}</td><td>member</td><td><button title="Remove user" onclick="if (confirm('Remove ${name}?')) send('users', ${at})">🗑</button></td>`,
      ),
    `<script>${POST}</script>`,
  ),
  // In this list, an object is removed on its own page. A dialog of that page asks for the name of the object.
  "/badges/": listOf("badges", () =>
    rowsOf("badges", (name, at) => `<td><a href="/badges/${at}">${name}</a></td><td>5</td>`),
  ),
  ...Object.fromEntries(
    [0, 1].map((at) => [
      `/badges/${at}`,
      () =>
        page(
          objects.badges?.[at] ?? "",
          `<p>A badge</p><button onclick="ask.style.display = 'block'">Delete badge</button> <ul><li>Note one <button>Delete</button></li><li>Note two <button>Delete</button></li></ul>
           <div id="ask" role="dialog" aria-modal="true" style="display: none; position: fixed; inset: 0; background: white"><p>Type ${objects.badges?.[at]} to delete this badge.</p>
           <label>Name <input id="typed"></label><button onclick="ask.style.display = 'none'">Cancel</button>
           <button onclick="if (typed.value === '${objects.badges?.[at]}') send('badges', ${at})">Delete</button></div>`,
          `<script>${POST}</script>`,
        ),
    ]),
  ),
  // In this list, each cell is a link to a client-side route. The object is removed in a menu of its own page.
  "/members/": listOf(
    "members",
    () => `<main></main>`,
    `<script>${POST}
      const names = ${JSON.stringify(INITIAL.members)};
      const show = async () => {
        const at = location.hash.split("/")[2];
        const present = await (await fetch("/members/present")).json();
        document.querySelector("main").innerHTML = at === undefined
          ? "<table>" + present.map((name) => {
              const route = "#/members/" + names.indexOf(name);
              return "<tr><td><a href='" + route + "'><i>" + name[0] + "</i><h3>" + name + "</h3><p>" + name[0] + "@mail.example</p></a></td><td><a href='" + route + "'>Free</a></td></tr>";
            }).join("") + "</table>"
          : "<h2>" + names[at] + "</h2><button onclick='menu.style.zIndex = menu.style.opacity = 1'>Actions</button>" +
            "<p style='position: absolute; top: 120px; height: 200px; width: 300px; background: white'>Met at the fair.</p>" +
            "<ul id='menu' style='position: absolute; top: 120px; z-index: -1; opacity: 0'><li><button>Sign out of all devices</button></li><li><button onclick='ask.hidden = false'>Delete member</button></li></ul>" +
            "<div id='ask' role='dialog' hidden style='position: fixed; inset: 0; background: white'><p>Are you sure you want to delete this member?</p><button onclick='ask.hidden = true'>Cancel</button><button onclick='send(this.dataset.list, this.dataset.at)' data-list='members' data-at='" + present.indexOf(names[at]) + "'>Delete member</button></div>";
      };
      addEventListener("hashchange", show);
      addEventListener("load", show);
    </script>`,
  ),
  "/members/present": () => Response.json(objects.members),
  // In this list, the dialog asks about another object than the one whose control was pressed.
  "/tokens/": listOf(
    "tokens",
    () =>
      `${rowsOf("tokens", (name) => `<td>${name}</td><td><button onclick="ask.style.display = 'block'">Delete</button></td>`)}
       <div id="ask" role="dialog" aria-modal="true" style="display: none; position: fixed; inset: 0; background: white"><p>Delete the token backup?</p>
       <button onclick="ask.style.display = 'none'">Cancel</button><button onclick="send('tokens', 1)">Delete</button></div>`,
    `<script>${POST}</script>`,
  ),
  // In this list, the entries are cards with a menu. A removed object is kept until a notice has disappeared.
  "/labels/": listOf(
    "labels",
    () =>
      `${(objects.labels ?? [])
        .map(
          (name, at) =>
            `<div class="card"><b>${name}</b> <button aria-haspopup="menu" onclick="menu${at}.hidden = false">⋮</button><div id="menu${at}" role="menu" hidden><button role="menuitem" onclick="notice.hidden = false; setTimeout(() => send('labels', ${at}), 1500)">Delete</button></div></div>`,
        )
        .join("")}<div id="notice" role="status" hidden>Label deleted <button>Undo</button></div>`,
    `<script>${POST}</script>`,
  ),
  "/coupons/": listOf("coupons", () =>
    rowsOf(
      "coupons",
      (name, at) =>
        `<td>${name}</td><td>${at}</td><td><form method="post" action="/coupons/?remove=${at}"><button>Delete</button></form></td>`,
    ),
  ),
  // In this list, the server says that it removes the object, but keeps it.
  "/lamps/": (request) =>
    request.method === "POST"
      ? page("Lamps", "Lamp deleted")
      : page(
          "Lamps",
          rowsOf(
            "lamps",
            (name) => `<td>${name}</td><td><form method="post"><button>Delete</button></form></td>`,
          ),
        ),
  // A list in which each row has a menu button. The menu is drawn at the end of the page, and closes with a second
  // press on the button. The button "Undo" is always on the page, so it belongs to no notice.
  "/boxes/": listOf(
    "boxes",
    () =>
      `<button>Undo</button>${rowsOf("boxes", (name, at) => `<td>${name}</td><td><button aria-haspopup="menu" onclick="menu.hidden = !menu.hidden; at = ${at}">⋮</button></td>`)}
       <div id="menu" role="menu" hidden><button role="menuitem" onclick="send('boxes', at)">Delete</button></div>`,
    `<script>${POST} let at;</script>`,
  ),
  // In this list, the browser asks whether to delete all objects.
  "/crates/": listOf(
    "crates",
    () =>
      rowsOf(
        "crates",
        (name, at) =>
          `<td>${name}</td><td><button onclick="if (confirm('Delete all crates?')) send('crates', ${at})">Delete</button></td>`,
      ),
    `<script>${POST}</script>`,
  ),
  // In this list, a press replaces the control by a question, as in Miniflux.
  "/feeds/": listOf(
    "feeds",
    () =>
      rowsOf(
        "feeds",
        (name, at) =>
          `<td>${name}</td><td><a href="#" onclick="this.hidden = true; ask${at}.hidden = false; return false">Remove</a><span id="ask${at}" hidden>Are you sure? <button onclick="send('feeds', ${at})">yes</button>, <button>no</button></span></td>`,
      ),
    `<script>${POST}</script>`,
  ),
  // The list has only one object. After a press on its control, the list answers with an error.
  "/pins/": (request) => {
    isPinsBroken ||= request.method === "POST";
    return isPinsBroken
      ? new Response("<h1>Pins</h1><p>Error</p>", { status: 500, headers: { "content-type": "text/html" } })
      : page(
          "Pins",
          `<table><tr><td>Blue</td><td><button onclick="fetch('/pins/', { method: 'POST' })">Delete</button></td></tr></table>`,
        );
  },
  // The page of this object shows the object's name late, and the button of the page removes nothing.
  "/racks/1": () =>
    page(
      "Rack",
      `<p>A rack</p><button>Delete rack</button>`,
      `<script>setTimeout(() => { document.querySelector("h1").textContent = "Rack Left"; }, 2500)</script>`,
    ),
  // The page that asks for a confirmation lists the related objects, as in Django's administration. Its navigation
  // menu is a table.
  "/desks/": listOf("desks", () =>
    rowsOf("desks", (name, at) => `<td>${name}</td><td><a href="/desks/${at}/delete">Delete</a></td>`),
  ),
  ...Object.fromEntries(
    [0, 1].map((at) => [
      `/desks/${at}/delete`,
      () =>
        page(
          "Delete desk",
          `<nav><table><tr><td>Other things</td></tr></table></nav>
           <p>Are you sure you want to delete the desk "${objects.desks?.[at]}"? All of the following related items will be deleted:</p>
           <ul><li>Desks: 1</li>${at === 0 ? "<li>Books: 2</li>" : ""}</ul><ul><li>Desk: ${objects.desks?.[at]}${at === 0 ? "<ul><li>Book: Red sky</li><li>Book: Blue sea</li></ul>" : ""}</li></ul>
           <form method="post" action="/desks/?remove=${at}"><a href="/desks/">Cancel</a> <button>Yes, I'm sure</button></form>`,
        ),
    ]),
  ),
  // Three lists that show only two of five objects at a time. The others are on further pages (`parcels`), behind a
  // button of a script (`letters`), or found by a search (`stamps`).
  "/parcels/": (request) => {
    const { searchParams } = new URL(request.url);
    const number = Number(searchParams.get("p") ?? 1);
    const body = () =>
      `${partOf("parcels", (_, at) => Math.floor(at / 2) === number - 1)}<p>${[1, 2, 3].map((one) => (one === number ? one : `<a href="/parcels/?p=${one}">${one}</a>`)).join(" ")}</p>`;
    return listOf("parcels", body)(request);
  },
  "/letters/": listOf(
    "letters",
    () =>
      `${rowsOf("letters", (name, at) => `<td>${name}</td><td><button onclick="send('letters', ${at})">Delete</button></td>`)}<button aria-label="Next page" onclick="turn(1)">&gt;</button>`,
    `<script>${POST} let shown = 0; const turn = (by) => { shown += by; const rows = [...document.querySelectorAll("tr")].slice(1); all ??= rows; document.querySelector("tbody").append(...all); all.forEach((row, at) => { if (Math.floor(at / 2) !== shown) row.remove(); }); }; let all; addEventListener("DOMContentLoaded", () => turn(0));</script>`,
  ),
  "/stamps/": (request) => {
    const wanted = new URL(request.url).searchParams.get("q") ?? "";
    const body = () =>
      `<form><input type="search" name="q" aria-label="Search stamps" value="${wanted}"><button>Go</button></form>${partOf("stamps", (name, at) => (wanted === "" ? at < 2 : name.includes(wanted)))}`;
    return listOf("stamps", body)(request);
  },
  // In both lists, rows are ticked first, and then one button removes them. In `plates`, the name of the button
  // says so. In `spoons`, the button is disabled until a row is ticked.
  "/plates/": listOf(
    "plates",
    () =>
      `<button onclick="ask('plates')">Delete selected plates</button>${rowsOf("plates", (name) => `<td><input type="checkbox" aria-label="Tick"></td><td>${name}</td>`)}`,
    `<script>${TICKS}</script>`,
  ),
  "/spoons/": listOf(
    "spoons",
    () =>
      `<button id="bin" disabled onclick="ask('spoons')">Delete</button>${rowsOf("spoons", (name) => `<td><input type="checkbox" onchange="bin.disabled = ticked().length === 0"></td><td>7</td><td>${name}</td>`)}`,
    `<script>${TICKS}</script>`,
  ),
  // The bar with "Delete" exists only while a row is ticked. In `jars`, "Delete" is in a menu of this bar. In
  // `chores`, the checkboxes do not select rows.
  "/mugs/": listOf(
    "mugs",
    () => `<p id="bar"></p>${selectable("mugs")}`,
    `<script>${TICKS} const bars = () => { bar.innerHTML = ticked().length ? "<button onclick=ask('mugs')>Delete</button>" : ""; };</script>`,
  ),
  "/jars/": listOf(
    "jars",
    () => `<p id="bar"></p>${selectable("jars")}`,
    `<script>${TICKS} const bars = () => { bar.innerHTML = ticked().length ? "<button onclick='menu()'>With " + ticked().length + " selected</button>" : ""; };
      const menu = () => bar.insertAdjacentHTML("beforeend", "<div role='menu'><button role='menuitem' onclick=ask('jars')>Delete</button></div>");</script>`,
  ),
  "/chores/": (request) => {
    if (request.method === "POST") changes.push(request.url);
    return listOf(
      "chores",
      () =>
        `<p id="bar"></p>${rowsOf("chores", (name) => `<td><input type="checkbox" aria-label="Done" onchange="fetch('/chores/?done', { method: 'POST' }); bar.innerHTML = '<button>Delete</button>'"></td><td>${name}</td>`)}`,
    )(request);
  },
  // Before the ticked row is removed, the browser asks, and says that three other things will be removed with it.
  "/razors/": listOf(
    "razors",
    () =>
      `<button id="bin" disabled onclick="if (confirm('Delete the selected razors? Their 3 sheaths are also deleted.')) ask('razors')">Delete</button>${rowsOf("razors", (name) => `<td><input type="checkbox" onchange="bin.disabled = ticked().length === 0"></td><td>${name}</td>`)}`,
    `<script>${TICKS}</script>`,
  ),
  // The search hides rows. The server does not remove the object, but makes it the first one of the list.
  "/coins/": (request) => {
    const first = new URL(request.url).searchParams.get("first");
    const { coins = [] } = objects;
    if (first !== null) coins.unshift(...coins.splice(coins.indexOf(first), 1));
    return listOf(
      "coins",
      () =>
        `<input type="search" aria-label="Search coins" oninput="show(this.value)">${rowsOf("coins", (name) => `<td>${name}</td><td><button onclick="fetch('/coins/?first=${name}')">Delete</button></td>`)}`,
      `<script>const show = (wanted) => { const rows = [...(all ??= [...document.querySelectorAll("tr")].slice(1))]; for (const row of rows) row.remove(); document.querySelector("tbody").append(...rows.filter((row, at) => (wanted === "" ? at < 2 : row.textContent.includes(wanted)))); }; let all; addEventListener("DOMContentLoaded", () => show(""));</script>`,
    )(request);
  },
  // The address of this page has a fragment (`#/all`). A press removes the row from the page, but the server keeps
  // the object.
  "/bolts/": listOf(
    "bolts",
    () =>
      rowsOf(
        "bolts",
        (name) =>
          `<td>${name}</td><td><button onclick="this.closest('tr').remove(); fetch('/bolts/')">Delete</button></td>`,
      ),
    `<script>location.hash ||= "#/all";</script>`,
  ),
  // The name of the object is the third text of its row. The button of every row asks whether to remove the
  // object "Right".
  "/cups/": listOf(
    "cups",
    () =>
      rowsOf(
        "cups",
        (name, at) =>
          `<td>C-${at}</td><td>active</td><td>${name}</td><td><button onclick="if (confirm('Delete the cup Right? Its 3 saucers are also deleted.')) send('cups', 1)">Delete</button></td>`,
      ),
    `<script>${POST}</script>`,
  ),
  "/forks/": listOf("forks", () =>
    rowsOf("forks", (name, at) => `<td><a href="/forks/${at}/change/">${name}</a></td>`),
  ),
  // The form has a link "Remove" for one of its parts, beside the link that deletes the fork, as in Django's
  // administration.
  "/forks/0/change/": () =>
    page(
      objects.forks?.[0] ?? "",
      `<form method="post"><input name="size"><a href="#">Remove</a></form><a href="/forks/0/delete/">Delete</a>`,
    ),
  "/forks/0/delete/": () =>
    page(
      "Delete fork",
      `<p>Are you sure you want to delete the fork ${objects.forks?.[0]}?</p><form method="post" action="/forks/?remove=0"><button>Yes, delete it</button></form>`,
    ),
  // The browser asks for a confirmation, and says that the 14 matches of the team will be removed with it.
  "/teams/": listOf(
    "teams",
    () =>
      rowsOf(
        "teams",
        (name, at) =>
          `<td>${name}</td><td><button onclick="if (confirm('Delete ${name}? Its 14 matches will also be deleted.')) send('teams', ${at})">Delete</button></td>`,
      ),
    `<script>${POST}</script>`,
  ),
  // The page always shows the sentence "Are you sure that "red" is a tag?". It is no confirmation of the removal of
  // "red".
  "/tags/": listOf(
    "tags",
    () =>
      `${rowsOf("tags", (name, at) => `<td>${name}</td><td><form method="post" action="/tags/?remove=${at}"><button>Delete</button></form></td>`)}<p>Are you sure that "red" is a tag?</p>`,
  ),
});

const cairn = await cairnOfTests();

beforeAll(async () => {
  objects = structuredClone(INITIAL) as Record<string, string[]>;
  await cairn.call("start_knowledge_exploration", {
    start_url: site.url("/"),
    render: "http",
    knowledge_id: "removals",
    job_id: "removals",
    max_pages: 1,
  });
  await cairn.call("wait_for_exploration", { job_id: "removals" });
}, TIMEOUT);

beforeEach(() => {
  objects = structuredClone(INITIAL) as Record<string, string[]>;
  removed.length = 0;
  changes.length = 0;
});

const ask = async (target: string, room: string, approve_risk?: string) => {
  await cairn.call("start_browser_session", { room_name: room, initial_url: site.url("/") });
  const question = {
    instruction_type: "execute_task",
    target,
    execute: true,
    ...(approve_risk === undefined ? {} : { approve_risk }),
    context: { room_name: room },
  };
  return (await cairn.post("/api/knowledge/removals/query", question)).body;
};
/** Requests a removal, and then sends the request again with the approval that the answer asks for. */
const approved = async (target: string, room: string) => {
  const asked = await ask(target, room);
  expect(asked.metadata).toMatchObject({ code: "task.approval_needed", risk: "delete" });
  expect(removed).toEqual([]);
  return await ask(target, room, asked.metadata.approve_risk);
};

test(
  "a task that removes an object first says what it would do, and removes only the object that the caller approves",
  async () => {
    const asked = await ask("Delete the voucher SUMMER", "voucher");
    expect(asked.success).toBe(false);
    expect(asked.metadata).toMatchObject({
      code: "task.approval_needed",
      object: { name: "SUMMER", list: site.url("/vouchers/") },
    });
    expect(asked.error).toContain("/vouchers/0/delete");
    const other = await ask("Delete the voucher WINTER", "voucher", asked.metadata.approve_risk);
    expect([other.metadata.code, removed]).toEqual(["task.approval_needed", []]);
    const done = await ask("Delete the voucher SUMMER", "voucher", asked.metadata.approve_risk);
    expect([done.error, removed]).toEqual([null, ["vouchers: SUMMER"]]);
    expect(done.metadata.execution.steps.at(-1)).toMatchObject({
      outcome: "done",
      evidence: "gone_from_list",
      confirmed: [expect.stringContaining("SUMMER")],
    });
  },
  TIMEOUT,
);

test.if(isFull)(
  "a task that removes an object finds the object's name in lower case, and accepts the browser's dialog about the object",
  async () => {
    const done = await approved("Remove the user greta", "user");
    expect([done.error, removed]).toEqual([null, ["users: greta"]]);
  },
  TIMEOUT,
);

test.if(isFull)(
  "a task that removes an object opens its client-side route by a link with more texts, and the menu of its page",
  async () => {
    const done = await approved('delete the member "Finn A"', "member");
    expect([done.error, removed]).toEqual([null, ["members: Finn A"]]);
  },
  TIMEOUT,
);

test.if(isFull)(
  "a task that removes an object presses a control on the object's page, and types the name that the dialog asks for",
  async () => {
    const done = await approved('delete the badge "Silver"', "badge");
    expect([done.error, removed]).toEqual([null, ["badges: Silver"]]);
  },
  TIMEOUT,
);

test.if(isFull)(
  'a task that removes an object uses the menu of the object\'s entry, and waits until the notice with "Undo" has closed',
  async () => {
    const done = await approved('delete the label "Rain"', "label");
    expect([done.error, removed]).toEqual([null, ["labels: Rain"]]);
  },
  TIMEOUT,
);

test.if(isFull)(
  "a task that removes an object does not confirm a question about another object",
  async () => {
    const refused = await approved('delete the token "deploy"', "token");
    expect([refused.success, removed]).toEqual([false, []]);
    expect(refused.error).toContain("Delete the token backup?");
  },
  TIMEOUT,
);

test.if(isFull)(
  "a task that removes an object confirms the question that replaces the pressed control",
  async () => {
    const done = await approved('remove the feed "Tides"', "feed");
    expect([done.error, removed]).toEqual([null, ["feeds: Tides"]]);
  },
  TIMEOUT,
);

test.if(isFull)(
  "a task that removes an object does not confirm a question about all objects",
  async () => {
    const refused = await approved('delete the crate "Tin"', "crate");
    expect([refused.success, removed]).toEqual([false, []]);
    expect(refused.error).toContain("Delete all crates?");
  },
  TIMEOUT,
);

const REMOVED_WITH_OTHERS = [
  ['delete the desk "Oak"', "desks: Oak", ["Books: 2", "Book: Red sky", "Book: Blue sea"]],
  ['delete the team "South"', "teams: South", ["Its 14 matches will also be deleted."]],
] as const;

test.if(isFull).each(REMOVED_WITH_OTHERS.slice(0, isFull ? undefined : 1))(
  "the task %p is done only if what the application removes with the object is approved",
  async (target, change, texts) => {
    const room = `related ${change}`;
    const asked = await approved(target, room);
    expect([asked.metadata.code, removed]).toEqual(["task.approval_needed", []]);
    for (const text of texts) expect(asked.error).toContain(text);
    expect(asked.metadata.consequences).not.toContain("Other things");
    const done = await ask(target, room, asked.metadata.approve_risk);
    expect([done.error, removed]).toEqual([null, [change]]);
  },
  TIMEOUT,
);

const PLACES = [
  ["whose row is ticked for a button", 'delete the plate "Green"', "plates: Green"],
  ["on a later page of its list", 'delete the parcel "Five"', "parcels: Five"],
  ["on a later page that a button shows", 'delete the letter "Four"', "letters: Four"],
  ["that the search box of its list finds", 'delete the stamp "Five"', "stamps: Five"],
  ["whose row is ticked for a disabled button", 'delete the spoon "Small"', "spoons: Small"],
  ["whose row is ticked for a bar that appears then", 'delete the mug "Wide"', "mugs: Wide"],
  ["whose row is ticked for a menu that appears then", 'delete the jar "Square"', "jars: Square"],
] as const;
test.if(isFull).each(PLACES)(
  "an object %s is removed",
  async (_, target, change) => {
    const done = await approved(target, `rows ${change}`);
    expect([done.error, removed]).toEqual([null, [change]]);
  },
  TIMEOUT,
);

test.if(isFull)(
  "a task that removes an object is refused if the row has only a checkbox that may change the object (Done)",
  async () => {
    const refused = await ask('delete the chore "Wash"', "chore");
    expect([refused.metadata.code, removed, changes]).toEqual(["task.no_remove_control", [], []]);
  },
  TIMEOUT,
);

test.if(isFull)(
  "a task does not confirm a question about another row than its own, even if the names are only the third texts of the rows",
  async () => {
    const refused = await approved('delete the cup "Left"', "cup");
    expect([refused.success, removed]).toEqual([false, []]);
    expect(refused.error).toContain("Delete the cup Right?");
    expect(refused.error).toContain("not certainly about this object");
  },
  TIMEOUT,
);

test.if(isFull)(
  "a task that removes an object presses the link with the address of the object, and not the control beside it that removes a part of its form",
  async () => {
    const done = await approved('delete the fork "Old"', "fork");
    expect([done.error, removed]).toEqual([null, ["forks: Old"]]);
  },
  TIMEOUT,
);

test.if(isFull)(
  "a task does not remove its row while another row is ticked",
  async () => {
    await cairn.call("start_browser_session", { room_name: "ticked", initial_url: site.url("/plates/") });
    const question = {
      instruction_type: "execute_task",
      target: 'delete the plate "Green"',
      execute: true,
      context: { room_name: "ticked" },
    };
    const asked = (await cairn.post("/api/knowledge/removals/query", question)).body;
    const { approve_risk } = asked.metadata;
    const tick = { selector: "tr:nth-of-type(2) input" };
    await cairn.call("execute_action", { room_name: "ticked", action_type: "click", params: tick });
    const refused = (await cairn.post("/api/knowledge/removals/query", { ...question, approve_risk })).body;
    expect([refused.success, removed]).toEqual([false, []]);
    expect(refused.error).toContain("not the only ticked one");
  },
  TIMEOUT,
);

test.if(isFull)(
  "a ticked row is removed only after the caller has also approved what the application removes with it",
  async () => {
    const asked = await approved('delete the razor "Bread"', "razor");
    expect([asked.metadata.code, removed]).toEqual(["task.approval_needed", []]);
    expect(asked.error).toContain("Their 3 sheaths are also deleted.");
    const question = {
      instruction_type: "execute_task",
      target: 'delete the razor "Bread"',
      execute: true,
      approve_risk: asked.metadata.approve_risk,
      context: { room_name: "razor" },
    };
    const done = (await cairn.post("/api/knowledge/removals/query", question)).body;
    expect([done.error, removed]).toEqual([null, ["razors: Bread"]]);
  },
  TIMEOUT,
);

test.if(isFull).each([
  ["is the first row of its list after the press", 'delete the coin "Five"', "coin"],
  ["is gone from a page that is not loaded again by its address", 'delete the bolt "Long"', "bolt"],
])(
  "an object that the server has not removed is not reported as gone, although it %s",
  async (_, target, room) => {
    const refused = await approved(target, room);
    expect([refused.success, removed]).toEqual([false, []]);
    expect(refused.error).toContain("is still in the list");
  },
  TIMEOUT,
);

test.if(isFull)(
  "a confirmation page that lists only the object needs no further approval",
  async () => {
    const done = await approved('delete the desk "Elm"', "elm");
    expect([done.error, removed]).toEqual([null, ["desks: Elm"]]);
  },
  TIMEOUT,
);

test.if(isFull)(
  "a task that removes an object closes the menu that it opened to find the control, before it asks for approval",
  async () => {
    await cairn.call("start_browser_session", { room_name: "box", initial_url: site.url("/boxes/") });
    const question = {
      instruction_type: "execute_task",
      target: 'delete the box "Pine"',
      execute: true,
      context: { room_name: "box" },
    };
    const asked = (await cairn.post("/api/knowledge/removals/query", question)).body;
    expect(asked.metadata).toMatchObject({ code: "task.approval_needed" });
    const { approve_risk } = asked.metadata;
    const done = (await cairn.post("/api/knowledge/removals/query", { ...question, approve_risk })).body;
    expect([done.error, removed]).toEqual([null, ["boxes: Pine"]]);
  },
  TIMEOUT,
);

test.if(isFull)(
  "a list that answers with an error does not prove that its only object is removed",
  async () => {
    const refused = await approved('delete the pin "Blue"', "pin");
    expect(refused.success).toBe(false);
    expect(refused.error).toContain('"Blue" was not seen to be gone');
  },
  TIMEOUT,
);

test.if(isFull)(
  "a page that shows the object's name only after a moment does not prove that the object is removed",
  async () => {
    await cairn.call("start_browser_session", { room_name: "rack", initial_url: site.url("/racks/1") });
    await cairn.call("execute_action", {
      room_name: "rack",
      action_type: "wait",
      params: { text: "Rack Left", seconds: 10 },
    });
    const question = {
      instruction_type: "execute_task",
      target: 'delete the rack "Left"',
      execute: true,
      context: { room_name: "rack" },
    };
    const asked = (await cairn.post("/api/knowledge/removals/query", question)).body;
    expect(asked.metadata).toMatchObject({ code: "task.approval_needed" });
    const { approve_risk } = asked.metadata;
    const refused = (await cairn.post("/api/knowledge/removals/query", { ...question, approve_risk })).body;
    expect(refused.success).toBe(false);
    expect(refused.error).toContain("was not seen to be gone");
  },
  TIMEOUT,
);

test.if(isFull)(
  "a task that removes an object fails if the object is still in the list",
  async () => {
    const refused = await approved('delete the lamp "Desk"', "lamp");
    expect(refused.success).toBe(false);
    expect(refused.error).toContain('"Desk" is still in the list');
  },
  TIMEOUT,
);

test.if(isFull)(
  "a task that removes an object presses nothing else in the list if the page asks no question",
  async () => {
    const done = await approved('delete the tag "blue"', "tag");
    expect([done.error, removed]).toEqual([null, ["tags: blue"]]);
  },
  TIMEOUT,
);

test(
  "a task removes nothing if the name is on two rows, is only part of a name, or is unknown",
  async () => {
    const two = await ask('delete the coupon "Twin"', "twin");
    expect(two.metadata).toMatchObject({
      code: "task.which_object",
      candidates: ["Twin · 0", "Twin · 1"],
    });
    const part = await ask('delete the voucher "2025"', "part");
    expect(part.metadata).toMatchObject({ code: "task.which_object", candidates: ["SUMMER 2025"] });
    const unknown = await ask('delete the voucher "SPRING"', "unknown");
    expect(unknown.metadata.code).toBe("task.object_not_found");
    const otherKind = await ask('delete the user "WINTER"', "other-kind");
    expect(otherKind.metadata.code).toBe("task.object_not_found");
    expect(removed).toEqual([]);
  },
  TIMEOUT,
);

test.each([
  ["delete all vouchers", "task.bulk_removal"],
  ['delete the vouchers "SUMMER" and "WINTER"', "task.bulk_removal"],
  ["delete the voucher", "task.which_object"],
])(
  "the task %p is refused, because it does not name exactly one object to remove",
  async (target, code) => {
    const refused = await ask(target, "refused", "delete_anything");
    expect([refused.metadata.code, removed]).toEqual([code, []]);
  },
  TIMEOUT,
);

/**
 * Tests actions whose elements are given by role, name or attributes instead of an index, on pages that
 * change meanwhile. Each run must click the right element or be refused. `CAIRN_SEED` is the seed of the
 * changes, and `CAIRN_RUNS` the number of runs.
 */

import { describe, expect, test } from "bun:test";
import { randomFrom } from "../../../support/seeded-random.ts";
import { isFull } from "../../../test-run-tier-and-seed.ts";
import { testInOwnSession, testInOwnSessionIfFull } from "./concurrent-tests-in-own-sessions.ts";
import { stageOfTests } from "./session-for-one-test-file.ts";
import { called } from "./session-in-shared-test-browser.ts";

const RUNS = Number(process.env.CAIRN_RUNS ?? (isFull ? 80 : 8));
const SEED = Number(process.env.CAIRN_SEED ?? 1);
const ROWS = 8;

/**
 * Scripts that change the rows of the page. `draw(true)` moves each row together with its DOM node.
 * `draw(false)` fills the existing DOM nodes with the new order of rows, so a node may show another row.
 */
const CHANGES = {
  nothing: "",
  reverse: "rows.reverse(); draw(keyed)",
  rotate: "rows.push(rows.shift()); draw(false)",
  insert: "rows.splice(k % rows.length, 0, { id: 50, name: 'New' }); draw(keyed)",
  insert_double: "rows.splice(k % rows.length, 0, { id: 51, name: rows[0].name }); draw(keyed)",
  remove: "rows.splice(k % rows.length, 1); draw(keyed)",
  rename_one: "rows[k % rows.length].name = 'Other'; draw(true)",
  rerender: "list.textContent = ''; draw(keyed)",
} as const;

const PAGE = `<ul id="list"></ul><script>
  let rows = [], keyed = true, k = 0, coming;
  const clicked = [];
  function line() {
    const item = document.createElement("li");
    item.innerHTML = "<span></span> <button></button> <a>Open</a>";
    item.querySelector("button").addEventListener("click", ({ currentTarget }) => clicked.push(currentTarget.row));
    item.querySelector("a").addEventListener("click", (event) => {
      event.preventDefault();
      clicked.push(event.currentTarget.row);
    });
    return item;
  }
  function draw(byKey) {
    const old = [...list.children];
    const nodes = rows.map((row, at) => (byKey ? old.find((node) => node.key === row.id) : old[at]) ?? line());
    nodes.forEach((node, at) => {
      const row = rows[at];
      node.key = row.id;
      node.dataset.row = row.name;
      node.querySelector("span").textContent = row.name;
      const [button, link] = [node.querySelector("button"), node.querySelector("a")];
      button.textContent = "Delete " + row.name;
      link.href = "/rows/" + row.id;
      button.row = link.row = row.id;
    });
    list.replaceChildren(...nodes);
  }
</script>`;

const stage = await stageOfTests();

test(
  `${RUNS} random changes of a page (seed ${SEED}) never make a click hit another element than the one that the action describes`,
  async () => {
    await stage.show(PAGE);
    const random = randomFrom(SEED);
    // The cast is safe: no list that the test passes to `pick` is empty.
    const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;
    const ends: Record<string, number> = {};
    let refusals = 0;
    let withCandidate = 0;
    for (let run = 0; run < RUNS; run++) {
      const at = Math.floor(random() * ROWS);
      const name = `Row ${at}`;
      await stage.run(`
        clearTimeout(coming); list.textContent = ""; clicked.length = 0; keyed = ${random() < 0.5}; k = ${Math.floor(random() * 1_000)};
        rows = Array.from({ length: ${ROWS} }, (_, id) => ({ id, name: "Row " + id })); draw(true)`);
      const locator = pick([
        { role: "button", name: `Delete ${name}` },
        { selector: `[data-row="${name}"] button` },
        { text: `Delete ${name}` },
        { fingerprint: { role: "button", name: `Delete ${name}`, tag: "button" } },
        {
          fingerprint: {
            role: "link",
            name: "Open",
            tag: "a",
            attributes: { href: `/rows/${at}` },
            alone: false,
          },
        },
        // Every row has a link named "Open", so this locator matches several elements.
        { role: "link", name: "Open" },
      ]);
      // The cast is safe: `Object.keys` returns the keys of `CHANGES`.
      const change = CHANGES[pick(Object.keys(CHANGES) as (keyof typeof CHANGES)[])];
      await stage.run(
        `clearTimeout(coming); coming = setTimeout(() => { ${change} }, ${Math.floor(random() * 25)}); 0`,
      );
      const outcome = await stage.act("click", locator);
      const clicked = await stage.run("clicked.join()");
      // The locator gives the name of a row. Two rows have this name, so a click on either of them is right.
      const rightIds = await stage.run(
        `rows.filter((row) => row.name === "${name}").map(({ id }) => id).join()`,
      );
      const isByAddress = "fingerprint" in locator && "attributes" in locator.fingerprint;
      const isRight = (isByAddress ? String(at) : `${at},${rightIds}`).split(",").includes(String(clicked));
      if (outcome.success ? !isRight : clicked !== "")
        throw new Error(
          `Run ${run}: ${JSON.stringify(locator)}, "${change}": clicked "${clicked}", ${JSON.stringify(outcome)}`,
        );
      const end = outcome.success ? "clicked" : String(outcome.data.code);
      ends[end] = (ends[end] ?? 0) + 1;
      const isThere = await stage.run(`rows.some(({ id, name }) => id === ${at} && name === "${name}")`);
      if (!outcome.success && isThere) {
        refusals += 1;
        const { candidates = [] } = outcome.data as { candidates?: readonly { line: string }[] };
        if (candidates.some(({ line }) => line.includes(`Delete ${name}`) || line.includes("Open")))
          withCandidate += 1;
      }
    }
    // At least some clicks must succeed and some must be refused. Otherwise a session that refuses every
    // action would pass the test.
    expect(ends.clicked).toBeGreaterThan(RUNS / 3);
    expect(ends.element_ambiguous).toBeGreaterThan(RUNS / 20);
    expect(withCandidate / refusals).toBeGreaterThanOrEqual(0.95);
  },
  RUNS * 4_000,
);

describe("an element that is named without an index", () => {
  test.if(isFull)("can be found in a frame by its selector and that of the frame", async () => {
    await stage.show(
      `<iframe id="one" srcdoc="<button onclick='parent.did.push(1)'>Go</button>"></iframe>
       <iframe id="two" srcdoc="<button onclick='parent.did.push(2)'>Go</button>"></iframe>`,
    );
    expect((await stage.act("click", { selector: "button" })).data).toMatchObject({
      code: "element_ambiguous",
    });
    expect((await stage.act("click", { selector: "button", frame: ["#two"] })).success).toBe(true);
    expect((await stage.act("click", { role: "button", name: "Go", frame: ["#one"] })).success).toBe(true);
    expect(await stage.run("did.join()")).toBe("2,1");
  });

  test("can be found in a shadow root by a selector that leads into it", async () => {
    await stage.show(`<div id="host"></div><button onclick="did.push('light')">Go</button><script>
      host.attachShadow({ mode: "closed" }).innerHTML = "<button>Go</button>";
    </script>`);
    expect((await stage.act("click", { selector: "#host >>> button" })).success).toBe(true);
    expect(await stage.run("did.join()")).toBe("");
    expect((await stage.act("click", { selector: "button" })).data).toMatchObject({
      code: "element_ambiguous",
    });
  });

  test.if(isFull)("is waited for if it appears later", async () => {
    await stage.show(
      `<script>setTimeout(() => document.body.insertAdjacentHTML("beforeend", "<button onclick='did.push(1)'>Late</button>"), 600)</script>`,
    );
    expect((await stage.act("click", { role: "button", name: "Late" })).success).toBe(true);
    expect(await stage.run("did.join()")).toBe("1");
  });

  test("can be filled in a form by its label", async () => {
    await stage.show(`<label>City <input id="city"></label><label>Street <input id="street"></label>`);
    await stage.act("input", { label: "City", text: "Vienna" });
    await stage.act("fill_form", { fields: [{ role: "textbox", name: "Street", value: "Ring 1" }] });
    expect(await stage.run("city.value + ', ' + street.value")).toBe("Vienna, Ring 1");
  });

  test("is ambiguous if two elements match, and the error gives an index by which each can be used", async () => {
    await stage.show(
      `<button onclick="did.push(1)">Delete</button><button onclick="did.push(2)">Delete</button>`,
    );
    const { data } = await stage.act("click", { role: "button", name: "Delete" });
    // Two buttons match this locator, so the error lists both.
    const [, second] = data.candidates as readonly { highlight_index: number }[];
    expect((await stage.act("click", { index: second?.highlight_index })).success).toBe(true);
    expect(await stage.run("did.join()")).toBe("2");
  });

  test.if(isFull)("may be a form, if the action is submit_form", async () => {
    await stage.show(
      `<form id="a" onsubmit="did.push('a'); return false"><input name="x"></form>
       <form id="b" onsubmit="did.push('b'); return false"><input name="y"></form>`,
    );
    await stage.act("submit_form", { selector: "#b" });
    expect(await stage.run("did.join()")).toBe("b");
  });
});

test("the parameter `pages` of scroll counts viewport heights, as in the agent library browser-use", async () => {
  const data = await stage.show(`<div style="height:9000px">Long</div><button>End</button>`);
  expect(called(data, "End")).toBeDefined();
  const { data: down } = await stage.act("scroll", { down: true, pages: 2 });
  expect(down.scrolled).toBe(1_600);
  const { data: up } = await stage.act("scroll", { down: false, pages: 1 });
  expect(up.position).toBe(800);
});

if (isFull)
  testInOwnSession(
    "an action on an element in a closed section fails and names the control that opens the section",
    async (stage) => {
      const field = (id: string) => `<label>${id} <input id="${id}"></label>`;
      const css = "<style>.shut { display: none }</style>";
      const open = (id: string) => `onclick="document.getElementById('${id}').classList.remove('shut')"`;
      await stage.show(`${css}
    <details><summary>More</summary>${field("inner")}</details>
    <button role="tab" id="tab" ${open("panel")}>Reply</button><div id="panel" role="tabpanel" aria-labelledby="tab" class="shut">${field("reply")}</div>
    <a href="#fold" data-bs-target="#fold" ${open("fold")}>Options</a><div id="fold" class="shut">${field("option")}</div>
    <h3><a href="#x" ${open("section")}>Modify</a></h3><div id="section" class="shut">${field("story")}</div>
    <div class="shut">${field("never")}</div>`);
      const sections = [
        ["inner", "More"],
        ["story", "Modify"],
        ["reply", "Reply"],
        ["option", "Options"],
      ] as const;
      for (const [id, control] of isFull ? sections : sections.slice(0, 1)) {
        const params = { selector: `#${id}`, fingerprint: { role: "textbox", name: id }, text: "x" };
        const refused = await stage.act("input", params);
        const { code, shown_by: index } = refused.data;
        expect([code, typeof index]).toEqual(["element_not_found", "number"]);
        expect(JSON.stringify(refused.data.candidates)).toContain(control);
        expect(await stage.act("click", { index })).toMatchObject({ success: true });
        expect(await stage.act("input", params)).toMatchObject({ success: true, data: { value: "x" } });
      }
      const never = { selector: "#never", fingerprint: { role: "textbox", name: "never" }, text: "x" };
      expect((await stage.act("input", never)).data).not.toHaveProperty("shown_by");
    },
  );

testInOwnSession(
  "an action on a link in a menu that is folded to no height names the control that unfolds it",
  async (stage) => {
    await stage.show(
      `<button aria-controls="fold" onclick="fold.classList.toggle('show')">More</button>
     <div id="fold" class="fold"><a href="#rooms">Rooms</a></div><p>Text</p>`,
      "<style>.fold { max-height: 0; overflow: hidden } .fold.show { max-height: 100vh }</style>",
    );
    const params = {
      selector: 'a[href="#rooms"]',
      text: "Rooms",
      fingerprint: { role: "link", name: "Rooms", tag: "a", attributes: { href: "#rooms" } },
    };
    expect(JSON.stringify(await stage.analyze({ include_text: true }))).not.toContain("Rooms");
    const { data } = await stage.act("click", params);
    const { code, shown_by: index, candidates } = data;
    expect([code, typeof index]).toEqual(["element_not_found", "number"]);
    expect(JSON.stringify(candidates)).toContain("More");
    await stage.act("click", { index });
    expect(await stage.act("click", params)).toMatchObject({ success: true });
  },
);

testInOwnSessionIfFull(
  "a folded menu is unfolded also in a side bar that shows its links only under the pointer",
  async (stage) => {
    await stage.show(
      `<aside><button aria-controls="fold" onclick="fold.classList.toggle('show')">More</button>
       <div id="fold" class="fold"><a href="#rooms">Rooms</a></div></aside><p>Text</p>`,
      `<style>.fold { max-height: 0; overflow: hidden } .fold.show { max-height: 100vh }
       .fold a { display: none } aside:hover .fold a { display: block }</style>`,
    );
    const params = { selector: 'a[href="#rooms"]', fingerprint: { role: "link", name: "Rooms", tag: "a" } };
    const { shown_by: index } = (await stage.act("click", params)).data;
    await stage.act("click", { index });
    expect(await stage.act("click", params)).toMatchObject({ success: true });
  },
);

testInOwnSessionIfFull(
  "an action on a link in a closed menu names the entry or the button that shows it, and whether by the pointer or a click",
  async (stage) => {
    const bar = (entry: string) =>
      `<ul><li>${entry}<ul class="menu"><li><a href="#tags">Tags</a></li></ul></li></ul>`;
    const toggle = "onclick=\"this.nextElementSibling.classList.toggle('open')\"";
    const hidden = "<style>.menu { display: none } li:hover > .menu, .menu.open { display: block }</style>";
    // WordPress places a closed menu above the page. A script moves the menu back a moment after the pointer has
    // reached its entry.
    const moved = `<style>.menu { position: absolute; top: -1000em } .menu.open { top: 20px }</style>
      <script>addEventListener("mouseover", ({ target }) => setTimeout(() => target.nextElementSibling?.classList.add("open"), 100))</script>`;
    for (const [menu, styles, byPointer] of [
      [bar('<a href="/posts">Posts</a>'), hidden, true],
      [bar('<a href="/posts" aria-haspopup="true">Posts</a>'), moved, true],
      [
        `<button aria-expanded="false" ${toggle}>Posts</button><nav class="menu"><a href="#tags">Tags</a></nav>`,
        hidden,
        undefined,
      ],
    ] as const) {
      await stage.show(`${menu}<p style="margin-top: 9em">Text</p>`, styles);
      const params = { selector: 'a[href="#tags"]', fingerprint: { role: "link", name: "Tags", tag: "a" } };
      const { code, shown_by: index, shown_by_pointer, candidates } = (await stage.act("click", params)).data;
      expect([code, shown_by_pointer]).toEqual(["element_not_found", byPointer]);
      expect(JSON.stringify(candidates)).toContain("Posts");
      expect(await stage.act(byPointer ? "hover" : "click", { index })).toMatchObject({ success: true });
      expect(await stage.act("click", params)).toMatchObject({ success: true });
      expect(await stage.run("location.hash")).toBe("#tags");
    }
  },
);

test.if(isFull)(
  "the error about a link in a closed menu no longer names the menu's entry after hovering over the entry has opened nothing",
  async () => {
    await stage.show(
      '<ul><li><a href="/posts">Posts</a><ul style="display: none"><li><a href="#tags">Tags</a></li></ul></li></ul>',
    );
    const params = { selector: 'a[href="#tags"]', fingerprint: { role: "link", name: "Tags", tag: "a" } };
    const { shown_by: index } = (await stage.act("click", params)).data;
    await stage.act("hover", { index });
    expect((await stage.act("click", params)).data).not.toHaveProperty("shown_by");
  },
);

test("an action on a hidden link fails and names the control that shows this link, although a visible link has the same name", async () => {
  await stage.show(
    `<a href="#reviews">Review</a><button aria-controls="fold">Settings</button>
     <div id="fold" style="display: none"><a href="#settings">Review</a></div>`,
  );
  const fingerprint = { role: "link", name: "Review", tag: "a", attributes: { href: "#settings" } };
  const { data } = await stage.act("click", { selector: 'a[href="#settings"]', text: "Review", fingerprint });
  expect([data.code, typeof data.shown_by]).toEqual(["element_not_found", "number"]);
  expect(JSON.stringify(data.candidates)).toContain("Settings");
});

test.if(isFull)("a label selects the same field in the action input as in the action fill_form", async () => {
  await stage.show(
    `<div class="row"><b>Bridge name</b><input aria-label="Port of the interface" id="a"></div>
     <div class="row"><b>Second</b><input aria-label="Port of the interface" id="b"></div>
     <label>E-mail address (for receipts) <input id="c"></label><input placeholder="Postal code" id="d">`,
    "<style>.row { padding: 4px }</style>",
  );
  for (const [label, id] of [
    ["Bridge name", "a"],
    ["E-mail address", "c"],
    ["Postal code", "d"],
  ] as const) {
    expect(await stage.act("input", { label, text: "single" })).toMatchObject({ success: true });
    expect(await stage.run(`${id}.value`)).toBe("single");
    expect(await stage.act("fill_form", { fields: [{ label, value: "form" }] })).toMatchObject({
      success: true,
    });
    expect(await stage.run(`${id}.value`)).toBe("form");
  }
});

test("a selector finds a row whose DOM node showed another row at an earlier search", async () => {
  await stage.show(`<ul id="files"><li title="a.txt">a.txt</li><li title="b.txt">b.txt</li></ul><script>
    const opened = [];
    files.addEventListener("dblclick", ({ target }) => opened.push(target.title))</script>`);
  const open = (title: string) => stage.act("double_click", { selector: `li[title="${title}"]` });
  expect(await open("a.txt")).toMatchObject({ success: true });
  await stage.run(
    `for (const [at, name] of ["b.txt", "c.txt"].entries()) { files.children[at].title = files.children[at].textContent = name }`,
  );
  expect(await open("b.txt")).toMatchObject({ success: true });
  expect(await stage.run("opened.join()")).toBe("a.txt,b.txt");
});

testInOwnSession(
  "a link is clicked in a menu that opens 0.3 seconds after the pointer has reached its entry",
  async (stage) => {
    // Element Plus and Vuetify open a menu only after 0.3 seconds, so that a pointer that passes by opens none.
    await stage.show(
      `<ul><li onmouseenter="setTimeout(() => { menu.hidden = false }, 300)"><a href="/posts">Posts</a>
       <ul id="menu" hidden><li><a href="#tags">Tags</a></li></ul></li></ul>`,
    );
    const params = { selector: 'a[href="#tags"]', fingerprint: { role: "link", name: "Tags", tag: "a" } };
    const { shown_by: index, shown_by_pointer } = (await stage.act("click", params)).data;
    expect(shown_by_pointer).toBe(true);
    await stage.act("hover", { index });
    expect(await stage.act("click", params)).toMatchObject({ success: true });
  },
);

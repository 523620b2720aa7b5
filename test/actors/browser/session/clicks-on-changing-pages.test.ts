/**
 * Tests pages that change between an analysis and a click. Each run must click the right element or end in a
 * typed error, and never click another element. `CAIRN_SEED` is the seed of the changes and their times, and
 * `CAIRN_RUNS` is the number of runs.
 */

import { expect, test } from "bun:test";
import { randomFrom } from "../../../support/seeded-random.ts";
import { isFull } from "../../../test-run-tier-and-seed.ts";
import { stageOfTests } from "./session-for-one-test-file.ts";
import { called } from "./session-in-shared-test-browser.ts";

const RUNS = Number(process.env.CAIRN_RUNS ?? (isFull ? 200 : 10));
const SEED = Number(process.env.CAIRN_SEED ?? 1);
const ROWS = 8;

/**
 * Scripts that change the rows of the page. `draw(true)` moves each row together with its DOM node.
 * `draw(false)` fills the existing DOM nodes with the new order of rows, so a node may show another row.
 */
const MUTATIONS = {
  nothing: "",
  reverse: "rows.reverse(); draw(keyed)",
  shuffle: "rows.sort((a, b) => (a.id * 7919) % 13 - (b.id * 7919) % 13); draw(keyed)",
  recycle: "rows.push(rows.shift()); draw(false)",
  recycle_same_names: "for (const row of rows) row.id += 100; draw(false)",
  insert: "rows.splice(k % rows.length, 0, { id: 50, name: rows[0].name }); draw(keyed)",
  insert_first: "rows.unshift({ id: 51, name: 'New' }); draw(keyed)",
  remove: "rows.splice(k % rows.length, 1); draw(keyed)",
  rename: "for (const row of rows) row.name = row.name + ' b'; draw(true)",
  rename_one: "rows[k % rows.length].name = 'Other'; draw(true)",
  rerender: "list.textContent = ''; draw(keyed)",
  swap_handlers: "[rows[0], rows[k % rows.length]] = [rows[k % rows.length], rows[0]]; draw(false)",
  overlay: "cover()",
  shift: "list.style.marginTop = (k * 17 % 300) + 'px'",
} as const;

const PAGE = `<button id="go">Go</button><ul id="list" style="list-style:none;margin:0;padding:0"></ul><script>
  let rows = [], keyed = true, k = 0, run = new AbortController();
  const clicked = [];
  const line = () => {
    const item = document.createElement("li");
    item.innerHTML = "<span></span> <button>Delete</button>";
    item.querySelector("button").addEventListener("click", ({ currentTarget }) => clicked.push(currentTarget.row));
    return item;
  };
  /** With nodes of their own each, as frameworks do with keys; or with the nodes that stand there. */
  function draw(byKey) {
    const old = [...list.children];
    const nodes = rows.map((row, at) =>
      (byKey ? old.find((node) => node.key === row.id) : old[at]) ?? line());
    nodes.forEach((node, at) => {
      const row = rows[at];
      node.key = row.id;
      node.dataset.id = row.id;
      node.querySelector("span").textContent = row.name;
      node.querySelector("button").row = row.id;
    });
    list.replaceChildren(...nodes);
  }
  function cover() {
    const over = document.createElement("div");
    over.id = "over";
    over.style = "position:fixed;inset:0";
    over.addEventListener("click", () => clicked.push("over"));
    document.body.append(over);
    setTimeout(() => over.remove(), 150);
  }
</script>`;

const stage = await stageOfTests();
await stage.show(PAGE);

test(
  `${RUNS} random changes of a page (seed ${SEED}) never make a click hit another element than the one with the given index`,
  async () => {
    const random = randomFrom(SEED);
    // The cast is safe: no list that the test passes to `pick` is empty.
    const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;
    // The cast is safe: `Object.keys` returns the keys of `MUTATIONS`.
    const kinds = Object.keys(MUTATIONS) as (keyof typeof MUTATIONS)[];
    const ends: Record<string, number> = {};
    for (let run = 0; run < RUNS; run++) {
      const kind = pick(kinds);
      const at = Math.floor(random() * ROWS);
      const number = Math.floor(random() * 1_000);
      const names = random() < 0.3 ? "'Same'" : "'Row ' + id";
      // The moment at which the page changes. `before`: before the click. `act`: during an earlier action.
      // `mousemove` and `mousedown`: when the pointer moves or the mouse button is pressed. `later`: within
      // 25 ms after the request for the click.
      const when = pick(["before", "act", "mousemove", "mousedown", "later"]);
      await stage.run(`
        run.abort(); run = new AbortController(); go.onclick = undefined;
        list.textContent = ""; list.style.marginTop = ""; clicked.length = 0; document.querySelector("#over")?.remove();
        keyed = ${random() < 0.5}; k = ${number};
        rows = Array.from({ length: ${ROWS} }, (_, id) => ({ id, name: ${names} }));
        draw(true)`);
      const data = await stage.analyze();
      const target = data.highlightedElements.filter(({ textContent }) => textContent === "Delete")[at];
      if (!target) throw new Error(data.clickableElementsString);
      const change = MUTATIONS[kind];
      if (when === "before") await stage.run(change);
      else if (when === "act") {
        await stage.run(`go.onclick = () => { ${change} }; 0`);
        await stage.act("click", { index: called(data, "Go").highlight_index });
      } else if (when === "later")
        await stage.run(
          `{ const { signal } = run; setTimeout(() => { if (!signal.aborted) { ${change} } }, ${number % 25}) } 0`,
        );
      else
        await stage.run(
          `addEventListener("${when}", () => { ${change} }, { once: true, signal: run.signal, capture: ${random() < 0.5} }); 0`,
        );
      const outcome = await stage.act("click", { index: target.highlight_index });
      const clicked = await stage.run("clicked.join()");
      const clickedText = outcome.success
        ? String(at)
        : `error ${clicked === String(at) ? clicked : ""}`.trim();
      const came = outcome.success ? clicked : `error ${clicked}`.trim();
      if (came !== clickedText) {
        throw new Error(
          `Run ${run}: ${kind} ${when} at ${at}: clicked "${clicked}", ${JSON.stringify(outcome)}`,
        );
      }
      const end = outcome.success ? "clicked" : String(outcome.data.code);
      ends[end] = (ends[end] ?? 0) + 1;
    }
    // The runs must contain clicks and refusals. A session that refuses every click must not pass.
    expect(ends.clicked).toBeGreaterThan(RUNS / 4);
    expect(ends.element_stale).toBeGreaterThan(RUNS / 30);
    expect(called(await stage.analyze(), "Delete")).toBeDefined();
  },
  RUNS * 1_500,
);

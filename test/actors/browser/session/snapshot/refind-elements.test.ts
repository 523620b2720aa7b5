/**
 * Tests that the element of a recorded action is found again on the current page, even after the page has
 * changed. If the element is gone, candidates are returned instead of an element.
 */
import { describe, expect, test } from "bun:test";
import {
  recordedStep,
  replayedParams,
} from "../../../../../machines/session/actions/actions-to-recorded-steps.ts";
import { parseAction } from "../../../../../machines/session/actions/parse-action.ts";
import type { AnalysisData } from "../../../../../machines/session/page/page-snapshot.ts";
import { isFull } from "../../../../test-run-tier-and-seed.ts";
import { stageOfTests } from "../session-for-one-test-file.ts";
import { called } from "../session-in-shared-test-browser.ts";

const stage = await stageOfTests();

/** Returns how a recording would describe an element on which a user clicks: the `nth` element with the text `name`. */
async function meant(page: AnalysisData, name: string, nth = 0) {
  const all = page.highlightedElements.filter((one) => one.textContent === name);
  const index = all[nth]?.highlight_index ?? called(page, name).highlight_index;
  return await stage.session.intendedElements(parseAction("click", { index }));
}

const bind = async ({ targets }: Awaited<ReturnType<typeof meant>>) => {
  const found = await stage.session.bindAll(targets, 0);
  return "bound" in found ? found.bound.index : found;
};

const row = (name: string) =>
  `<tr><td>${name}</td><td><button onclick="did.push('${name}')">Delete</button></td></tr>`;
const table = (...names: readonly string[]) => `<table>${names.map(row).join("")}</table>`;
/**
 * Clicks the element that was found again for a recorded action. Returns the texts that the page's click handlers
 * have added to the array `did`.
 */
async function clicked(bound: unknown): Promise<unknown> {
  const { index } = bound as { index: number };
  expect(index).toBeNumber();
  expect(await stage.act("click", { index })).toMatchObject({ success: true });
  return await stage.run("did.join()");
}

describe("the element of a recorded action", () => {
  test("is found among many elements of the same name", async () => {
    const wanted = await meant(await stage.show(table("Ann", "Bob", "Cyd")), "Delete", 1);
    await stage.show(table("Ann", "Bob", "Cyd"));
    expect(await clicked(await bind(wanted))).toBe("Bob");
  });

  test("is found only in its own row, even after the row has moved", async () => {
    const wanted = await meant(await stage.show(table("Ann", "Bob", "Cyd")), "Delete", 1);
    await stage.show(table("Dan", "Cyd", "Eve", "Bob"));
    expect(await clicked(await bind(wanted))).toBe("Bob");
    for (const rows of [["Ann"], ["Bobby"], ["Ann", "Cyd"]]) {
      await stage.show(table(...rows));
      expect(await bind(wanted)).toHaveProperty("candidates");
    }
    await stage.show(table("Ann", "Cyd", "Dan"));
    const none = await bind(wanted);
    expect(none).toMatchObject({ candidates: [{}, {}, {}], path: "index" });
    expect(await stage.run("did.join()")).toBe("");
  });

  test("is found by its text if classes, ids and position are new", async () => {
    const wanted = await meant(
      await stage.show(
        `<main><form><input aria-label="Mail"><button id="b1" class="x">Subscribe now</button></form><a href="#">Help</a></main>`,
      ),
      "Subscribe now",
    );
    await stage.show(`<a href="/x">Help me</a><section><form><div><input aria-label="Mail">
      <button id="b9" class="y" onclick="did.push('now'); return false">Subscribe now</button></div></form></section>`);
    const bound = await bind(wanted);
    expect(bound).toMatchObject({ by: "score" });
    expect(await clicked(bound)).toBe("now");
  });

  test.if(isFull)("is found in shadow roots and frames", async () => {
    const body = `<x-box></x-box><iframe srcdoc="<button>In the frame</button>"></iframe><script>
      customElements.define('x-box', class extends HTMLElement { constructor() {
        super(); this.attachShadow({ mode: 'closed' }).innerHTML = '<button>In the box</button>'; } })</script>`;
    const page = await stage.show(body);
    const wanted = [await meant(page, "In the box"), await meant(page, "In the frame")];
    const now = await stage.show(body);
    for (const [at, name] of ["In the box", "In the frame"].entries()) {
      const one = wanted[at];
      expect(one && (await bind(one))).toMatchObject({
        index: called(now, name).highlight_index,
        by: "identity",
      });
    }
  });

  test("is not confused with another element in the same place", async () => {
    const wanted = await meant(await stage.show(`<button id="a">Cancel order</button>`), "Cancel order");
    await stage.show(`<button id="a">Place order</button>`);
    expect(await bind(wanted)).toHaveProperty("candidates");
    const order = await meant(
      await stage.show(`<ul><li>Order 1001, open, Ann <button>Pay</button></li></ul>`),
      "Pay",
    );
    await stage.show(`<ul><li>Order 1002, open, Ann <button>Pay</button></li></ul>`);
    expect(await bind(order)).toHaveProperty("candidates");
    await stage.show("<p>Nothing</p>");
    expect(await bind(wanted)).toMatchObject({ candidates: [] });
  });

  test("is waited for if it appears late", async () => {
    const wanted = await meant(await stage.show(`<button>Later</button>`), "Later");
    await stage.show(
      `<div id="d"></div><script>setTimeout(() => { d.innerHTML = '<button>Later</button>' }, 300)</script>`,
    );
    expect(await stage.session.bindAll(wanted.targets, 5_000)).toMatchObject({ bound: { index: {} } });
  });

  test("is found by the data of a candidate that an error returned", async () => {
    const wanted = await meant(await stage.show(table("Ann", "Bob")), "Delete", 1);
    const page = await stage.show(table("Ann", "Cyd"));
    await stage.run("document.querySelectorAll('td')[2].textContent = 'Dan'");
    const none = await stage.session.bindAll(wanted.targets, 0);
    const candidates = "bound" in none ? [] : none.candidates;
    // The caller has taken this index from a snapshot in which the row was named "Cyd". Now the row is named "Dan".
    // The list of candidates has shown the new name to the caller, so a click with this index is accepted.
    const index = page.highlightedElements.at(-1)?.highlight_index;
    expect(candidates.some(({ highlight_index }) => highlight_index === index)).toBe(true);
    expect(await stage.act("click", { index })).toMatchObject({ success: true });
  });
});

describe("a recorded step", () => {
  const step = async (name: string, params: Record<string, unknown>) => {
    const action = parseAction(name, params);
    const page = await stage.session.intendedElements(action);
    const outcome = await stage.act(name, params);
    return recordedStep(action, outcome, page, (label) => page.labelled[label]);
  };

  test("contains the typed text, except that of secret fields", async () => {
    const page = await stage.show(`<form><input aria-label="Name"><input aria-label="Word" type="password">
      <input aria-label="Shown" id="password" type="text"></form>`);
    const index = (name: string) => called(page, name).highlight_index;
    const named = await step("type", { index: index("Name"), text: "ann" });
    expect(named).toMatchObject({ action: "input", params: { text: "ann" }, needs: [] });
    expect(named?.params).not.toHaveProperty("index");
    expect(named?.targets.index).toMatchObject({ role: "input", name: "Name" });
    for (const name of ["Word", "Shown"]) {
      const secret = await step("type", { index: index(name), text: "hunter2" });
      expect(secret).toMatchObject({ needs: ["text"] });
      expect(JSON.stringify(secret)).not.toContain("hunter2");
      const given = secret && replayedParams(secret, { index: 7 }, { text: "again" });
      expect(given).toEqual({ index: 7, text: "again", clear: true });
    }
    const form = await step("fill_form", {
      fields: [
        { index: index("Name"), value: "bob" },
        { label: "Word", value: "hunter2" },
      ],
    });
    expect(form).toMatchObject({
      needs: ["fields.1.value"],
      params: { fields: [{ value: "bob" }, { label: "Word" }] },
    });
    expect(JSON.stringify(form)).not.toContain("hunter2");
    const keys = await step("send_keys", { keys: "h u n t e r" });
    expect(keys).toMatchObject({ needs: ["keys"], params: {} });
    expect(await step("send_keys", { keys: "Tab" })).toMatchObject({ params: { keys: "Tab" } });
  });

  test("is not created for an action that failed or only read something", async () => {
    const page = await stage.show(
      `<select aria-label="S"><option>A</option></select><button disabled>No</button>`,
    );
    expect(await step("dropdown_options", { index: called(page, "S").highlight_index })).toBeUndefined();
    expect(
      await step("select_dropdown", { index: called(page, "S").highlight_index, text: "B" }),
    ).toBeUndefined();
  });
});

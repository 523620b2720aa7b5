/** Tests that repeating an action without effect is refused, in a real Chromium. */
import { expect, test } from "bun:test";
import { isFull } from "../../../test-run-tier-and-seed.ts";
import { stageOfTests } from "./session-for-one-test-file.ts";
import { called } from "./session-in-shared-test-browser.ts";

const stage = await stageOfTests();

const codes = async (name: string, params: Readonly<Record<string, unknown>>, times: number) => {
  const found: unknown[] = [];
  for (let time = 0; time < times; time++) {
    const { success, data } = await stage.act(name, params);
    found.push(success ? true : data.code);
  }
  return found;
};

test("an action that does not change the page is refused from the third time on", async () => {
  const data = await stage.show(`<button onclick="did.push('a')">Dead</button><button>Other</button>`);
  const { highlight_index: index } = called(data, "Dead");
  expect(await codes("click", { index }, 4)).toEqual([true, true, "no_progress", "no_progress"]);
  expect(await stage.run("did.join()")).toBe("a,a");
  const refused = await stage.act("click", { index });
  expect(refused.error).toContain("2 times");
  expect(refused.data).toMatchObject({ times: 2, last: { success: true } });
  // A different action resets the count of repetitions, so the action that was refused above is permitted
  // again.
  await stage.act("click", { index: called(data, "Other").highlight_index });
  expect(await codes("click", { index }, 1)).toEqual([true]);
});

test.if(isFull)(
  "an action may be repeated while it changes the page, even if only a cursor or a drawing changes",
  async () => {
    const data = await stage.show(`<button onclick="n.textContent = ++count">More</button><p id="n">0</p>
    <input aria-label="F" value="abcdef"><canvas id="c" width="9" height="9"></canvas>
    <script>var count = 0; addEventListener("keydown", ({ key }) => key === "x" && c.getContext("2d").fillRect(count++, 0, 1, 1))</script>`);
    const { highlight_index: index } = called(data, "More");
    expect(await codes("click", { index }, 5)).toEqual([true, true, true, true, true]);
    await stage.act("click", { index: called(data, "F").highlight_index });
    expect(await codes("send_keys", { keys: "ArrowLeft" }, 4)).toEqual([true, true, true, true]);
    await stage.run("document.activeElement.blur()");
    expect(await codes("send_keys", { keys: "x" }, 4)).toEqual([true, true, true, true]);
    expect(await codes("wait", { seconds: 0 }, 4)).toEqual([true, true, true, true]);
  },
);

test("an action that was repeated without effect is permitted twice again after the page has changed", async () => {
  const data = await stage.show(`<button>Dead</button><p id="p">one</p>`);
  const { highlight_index: index } = called(data, "Dead");
  await codes("click", { index }, 2);
  await stage.run(`p.textContent = "two"`);
  expect(await codes("click", { index }, 3)).toEqual([true, true, "no_progress"]);
});

/**
 * Tests that an element which only reacts to the pointer above it is not listed. It is listed if a click or a
 * key has an effect.
 */
import { describe, expect, test } from "bun:test";
import { stageOfTests } from "./session-for-one-test-file.ts";
import { names } from "./session-in-shared-test-browser.ts";

const stage = await stageOfTests();

/** Returns a chart with ten bars. The page runs `code` once for each element `bar`. */
const bars = (code: string) =>
  `<svg width="400" height="200">${Array.from({ length: 10 }, (_, at) => `<rect class="bar" x="${at * 40}" y="20" width="30" height="150"><title>Bar ${at}</title></rect>`).join("")}</svg>
   <button>Save</button><script>for (const bar of document.querySelectorAll(".bar")) { ${code} }</script>`;

describe("the bars of a chart", () => {
  test.each([
    ["listen to presses only", "bar.addEventListener('mousedown', () => {})"],
    [
      "listen to touches and to the pointer over them",
      "bar.ontouchstart = bar.onmouseenter = () => {}; bar.addEventListener('touchstart', () => {})",
    ],
    ["have a pointer cursor only", "bar.style.cursor = 'pointer'"],
    ["are images that can have the focus", "bar.setAttribute('role', 'img'); bar.tabIndex = 0"],
  ])("are not listed if they %s", async (_, code) => {
    expect(names(await stage.show(bars(code)))).toEqual(["Save"]);
  });

  test.each([
    ["a click", "bar.addEventListener('click', () => {})"],
    ["a key", "bar.tabIndex = 0; bar.onkeydown = null; bar.addEventListener('keydown', () => {})"],
    [
      "a click on the drawing around them, with a pointer cursor",
      "bar.style.cursor = 'pointer'; bar.ownerSVGElement.onclick = () => {}",
    ],
  ])("are listed if a script reacts to %s", async (_, code) => {
    expect(names(await stage.show(bars(code)))).toContain("Bar 3");
  });

  test("are reported as left out because they only react to hovering, and can be hovered", async () => {
    await stage.show(bars("bar.tabIndex = 0; bar.onmouseenter = () => did.push('over')"));
    const { left_out } = await stage.analyze({ include_left_out: true });
    expect(left_out?.elements.filter(({ reason }) => reason === "hover_only")).toHaveLength(10);
    expect((await stage.act("hover", { selector: ".bar:nth-child(4)" })).success).toBe(true);
    expect(await stage.run("did")).toEqual(["over"]);
  });
});

describe("an element with a tooltip", () => {
  test("is not listed if it can only be focused and hovered", async () => {
    const page = await stage.show(
      `<span tabindex="0" title="The price with taxes">Price</span><button>Save</button>
       <span tabindex="0" data-bs-toggle="tooltip" id="tip">Total</span><script>tip.onmouseenter = tip.onfocus = () => {}</script>`,
    );
    expect(names(page)).toEqual(["Save"]);
  });

  test("is listed if it can be clicked or has a role", async () => {
    const page = await stage.show(
      `<span tabindex="0" title="Sorts" id="sorts">Price</span><span tabindex="0" role="button" title="Opens">More</span>
       <span tabindex="0" title="Copies" style="cursor: pointer">Code</span><script>sorts.onclick = () => {}</script>`,
    );
    expect(names(page)).toEqual(["Price", "More", "Code"]);
  });
});

test("a line of an analysis shows the id, size or address of an element that has no name", async () => {
  const { clickableElementsString } = await stage.show(
    `<button id="toggle"></button><canvas width="300" height="150"></canvas><a href="/orders"></a><script>document.querySelector("a").style.cssText = "display: block; height: 20px"</script>`,
  );
  expect(clickableElementsString.split("\n").map((line) => line.replace(/^\[\d+\]/, ""))).toEqual([
    '<button id="toggle"></button>',
    '<canvas size="300x150"></canvas>',
    '<a href="/orders"></a>',
  ]);
});

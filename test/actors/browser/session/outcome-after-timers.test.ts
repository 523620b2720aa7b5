/** Tests what the answer of an action reports when a timer of the page sends a request after the action. */
import { expect, test } from "bun:test";
import { sessionLimits } from "../../../../machines/session/session-limits.ts";
import { html, type Route } from "../../../sites/test-site-with-given-routes.ts";
import { isFull } from "../../../test-run-tier-and-seed.ts";
import { testInOwnSession } from "./concurrent-tests-in-own-sessions.ts";
import { stageOfTests } from "./page-session-of-tests.ts";
import { called } from "./session-in-shared-test-browser.ts";

const ROUTES: Readonly<Record<string, Route>> = {
  "/find": async ({ url }) => {
    await Bun.sleep(100);
    return new Response(`Found ${new URL(url).searchParams.get("q")}`);
  },
  "/saved": html("Saved", "<h1>The order was saved.</h1>"),
};

const stage = await stageOfTests({ routes: ROUTES });

const FIND = `<p id="out"></p><script>
  const find = async (text) => { out.textContent = await (await fetch("/find?q=" + text)).text() };
  let timer;
  const debounce = (call, delay) => (...args) => { clearTimeout(timer); timer = setTimeout(call, delay, ...args) }</script>`;

const said = (data: Readonly<Record<string, unknown>>) =>
  (data.page as { said?: string[] } | undefined)?.said;

for (const delay of [300, sessionLimits.timerWithin])
  test(`the answer to typing contains the results of a search that starts ${delay} ms after the last key`, async () => {
    const page = await stage.show(
      `${FIND}<input aria-label="Search"><script>
        document.querySelector("input").oninput = debounce(({ target }) => find(target.value), ${delay})</script>`,
    );
    const index = called(page, "Search").highlight_index;
    const { data } = await stage.act("input", { index, text: "ships" });
    expect(said(data)).toEqual(["Found ships"]);
  });

test("the answer to typing contains the results of a search that repeats a timer, as RxJS does", async () => {
  const page = await stage.show(
    `${FIND}<input aria-label="Search"><script>let repeated;
      document.querySelector("input").oninput = ({ target }) => { clearInterval(repeated);
        repeated = setInterval(() => { clearInterval(repeated); find(target.value) }, 400) }</script>`,
  );
  const index = called(page, "Search").highlight_index;
  const { data } = await stage.act("input", { index, text: "boats" });
  expect(said(data)).toEqual(["Found boats"]);
});

test("the answer to a click contains the refusal of a change that the page shows at once and sends later", async () => {
  const page = await stage.show(
    `${FIND}<button onclick="this.textContent = 'Liked'; setTimeout(find, 700, 'an error')">Like</button>`,
  );
  const { data } = await stage.act("click", { index: called(page, "Like").highlight_index });
  expect(said(data)).toEqual(["Found an error"]);
});

test("the answer to a click reports the page to which a script redirects some time after the response", async () => {
  const page = await stage.show(
    `${FIND}<button onclick="find('it').then(() => { setTimeout(() => { location.href = '/saved' }, 800) })">Save</button>`,
  );
  const { data } = await stage.act("click", { index: called(page, "Save").highlight_index });
  expect(data).toMatchObject({ effect: "navigated", url: stage.site.url("/saved"), title: "Saved" });
});

testInOwnSession(
  "an action no longer waits for a timer after which the page has sent no request twice",
  async (stage) => {
    const page =
      await stage.show(`<button onclick="setTimeout(() => { out.dataset.runs = 1 + Number(out.dataset.runs) },
      ${sessionLimits.timerWithin})">Ripple</button><p id="out" data-runs="0"></p>`);
    const { highlight_index: index } = called(page, "Ripple");
    const runs: unknown[] = [];
    for (let click = 0; click < 3; click++) {
      await stage.act("click", { index });
      runs.push(await stage.run("Number(out.dataset.runs)"));
      await stage.run(`out.textContent = 'click ${click}'`);
    }
    expect(runs).toEqual([1, 2, 2]);
  },
);

test("a page has the browser's own timer functions before and after an action", async () => {
  const page = await stage.show(
    `<button onclick="setTimeout(() => { out.textContent = 'Done' }, 10)">Go</button><p id="out"></p>
    <script>const timerFunctions = [setTimeout, setInterval, clearTimeout, clearInterval]</script>`,
  );
  await stage.act("click", { index: called(page, "Go").highlight_index });
  const isOwn = `timerFunctions.every((one, at) => one === [setTimeout, setInterval, clearTimeout, clearInterval][at])`;
  expect(await stage.run(isOwn)).toBe(true);
});

test.if(isFull)(
  "an action is reported as done, on a page that is still loading, if the page computes for long after it",
  async () => {
    const page = await stage.show(`<button onclick="setTimeout(() => {
      for (const end = performance.now() + 12_000; performance.now() < end; ); }, 500)">Report</button>`);
    const outcome = await stage.act("click", { index: called(page, "Report").highlight_index });
    expect(outcome).toMatchObject({ success: true, data: { clicked: true, loading: true } });
  },
  60_000,
);

/** Tests what the answer of an action reports when a timer of the page sends a request after the action. */
import { expect, test } from "bun:test";
import { sessionLimits } from "../../../../machines/session/session-limits.ts";
import { html, type Route } from "../../../sites/test-site-with-given-routes.ts";
import { isFull } from "../../../test-run-tier-and-seed.ts";
import { testInOwnSession, testInOwnSessionIfFull } from "./concurrent-tests-in-own-sessions.ts";
import { stageOfTests } from "./session-for-one-test-file.ts";
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

test.if(isFull)(
  "the answer to typing contains the results of a search that a repeating timer (setInterval) starts, as in RxJS",
  async () => {
    const page = await stage.show(
      `${FIND}<input aria-label="Search"><script>let repeated;
      document.querySelector("input").oninput = ({ target }) => { clearInterval(repeated);
        repeated = setInterval(() => { clearInterval(repeated); find(target.value) }, 400) }</script>`,
    );
    const index = called(page, "Search").highlight_index;
    const { data } = await stage.act("input", { index, text: "boats" });
    expect(said(data)).toEqual(["Found boats"]);
  },
);

test("the answer to a click contains the error of a request that the page sends only after it has shown the change", async () => {
  const page = await stage.show(
    `${FIND}<button onclick="this.textContent = 'Liked'; setTimeout(find, 700, 'an error')">Like</button>`,
  );
  const { data } = await stage.act("click", { index: called(page, "Like").highlight_index });
  expect(said(data)).toEqual(["Found an error"]);
});

test.if(isFull)(
  "the answer to a click reports the page to which a script redirects some time after the response",
  async () => {
    const page = await stage.show(
      `${FIND}<button onclick="find('it').then(() => { setTimeout(() => { location.href = '/saved' }, 800) })">Save</button>`,
    );
    const { data } = await stage.act("click", { index: called(page, "Save").highlight_index });
    expect(data).toMatchObject({ effect: "navigated", url: stage.site.url("/saved"), title: "Saved" });
  },
);

testInOwnSessionIfFull(
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

test("a page has the browser's own timer functions again after an action", async () => {
  const page = await stage.show(
    `<button onclick="setTimeout(() => { out.textContent = 'Done' }, 10)">Go</button><p id="out"></p>
    <script>const timerFunctions = [setTimeout, setInterval, clearTimeout, clearInterval]</script>`,
  );
  await stage.act("click", { index: called(page, "Go").highlight_index });
  const isOwn = `timerFunctions.every((one, at) => one === [setTimeout, setInterval, clearTimeout, clearInterval][at])`;
  expect(await stage.run(isOwn)).toBe(true);
});

test.if(isFull)(
  "the answer to typing contains the results of a search that a timer starts by code in a text: setTimeout('find()', '500')",
  async () => {
    const page = await stage.show(
      `${FIND}<input aria-label="Search" oninput="clearTimeout(timer); timer = setTimeout('find(&quot;kites&quot;)', '500')">`,
    );
    const index = called(page, "Search").highlight_index;
    const { data } = await stage.act("input", { index, text: "k" });
    expect(said(data)).toEqual(["Found kites"]);
  },
);

/** Code that a page runs at a click. The key states what the code does with the timer functions of the page. */
const USES_OF_TIMERS: Readonly<Record<string, string>> = {
  "keeps the functions": "kept = setTimeout; kept(note, 10, 'ran')",
  "calls them for the window of a frame":
    "setTimeout.call(frames[0], note, 10, 'ran'); clearTimeout.call(frames[0], -1)",
  "calls them with an object that is no window":
    "try { setTimeout.call({}, note) } catch (error) { setTimeout(note, 10, error instanceof TypeError ? 'ran' : error) }",
  "reads their code and properties":
    "setTimeout(note, 10, /native code/.test(String(setTimeout)) && setTimeout.name === 'setTimeout' && setTimeout.length === 1 && 'ran')",
  "replaces a function, as Zone.js does":
    "const before = window.setTimeout; window.setTimeout = (run, ...more) => before.call(window, run, ...more); setTimeout(note, 10, 'ran')",
  "forbids changes of a function":
    "Object.defineProperty(window, 'setTimeout', { configurable: false, writable: false }); setTimeout(note, 10, 'ran')",
  "writes another document":
    "parent.did = did; document.open(); document.write('<p>New'); document.close(); setTimeout(note, 10, 'ran')",
};

for (const [use, code] of Object.entries(USES_OF_TIMERS).slice(0, isFull ? undefined : 1))
  testInOwnSession(
    `timers run without an error, and the other functions are the browser's own after an action, if the page ${use}`,
    async (stage) => {
      await stage.show(`<iframe hidden></iframe><script>
        let kept; const note = (text) => did.push(text); addEventListener("error", ({ message }) => did.push(message));
        const others = () => [setInterval, clearTimeout, clearInterval]; const atFirst = others()</script>
        <button onclick="${code}">Go</button>`);
      for (let click = 0; click < 2; click++) {
        await stage.act("click", { name: "Go" });
        if (use === "writes another document") break;
      }
      await stage.run("new Promise((resolve) => setTimeout(resolve, 200))");
      expect(new Set((await stage.run("did")) as unknown[])).toEqual(new Set(["ran"]));
      if (use === "writes another document") return;
      expect(await stage.run("others().every((one, at) => one === atFirst[at])")).toBe(true);
    },
  );

test.if(isFull)("the timer functions are the browser's own after an action that has failed", async () => {
  const page = await stage.show(
    `<button onclick="this.textContent = 'Gone'">Go</button><p id="out"></p><script>const first = setTimeout</script>`,
  );
  const index = called(page, "Go").highlight_index;
  await stage.run("document.querySelector('button').remove()");
  expect((await stage.act("click", { index })).success).toBe(false);
  expect(await stage.run("setTimeout === first")).toBe(true);
});

if (isFull)
  testInOwnSession(
    "an action no longer waits for the timer of a heartbeat after the page has sent the heartbeat by itself",
    async (stage) => {
      let beats = 0;
      stage.site.routes.set("/beat", () => {
        beats++;
        return new Response("alive");
      });
      const page =
        await stage.show(`<button onclick="setTimeout(beat, 900)">Work</button><p id="out"></p><script>
      const beat = () => fetch("/beat").then(() => {})</script>`);
      const { highlight_index: index } = called(page, "Work");
      const click = async (round: number) => {
        beats = 0;
        await stage.run(`out.textContent = 'round ${round}'`);
        await stage.act("click", { index });
        return beats;
      };
      expect(await click(0)).toBe(1);
      await stage.run("(async () => { for (let n = 0; n < 4; n++) await beat() })()");
      const waited: number[] = [];
      for (let round = 1; round <= 3; round++) waited.push(await click(round));
      expect(waited).toEqual([1, 1, 0]);
    },
  );

if (isFull)
  testInOwnSession(
    "an action still waits for a timer that has sent a request once, after the timer has sent none twice",
    async (stage) => {
      let saved = 0;
      stage.site.routes.set("/draft", () => {
        saved++;
        return new Response("saved");
      });
      const page =
        await stage.show(`<button onclick="setTimeout(save, 900)">Work</button><p id="out"></p><script>
      let isChanged = true; const save = () => { if (isChanged) fetch("/draft") }</script>`);
      const { highlight_index: index } = called(page, "Work");
      const counts: number[] = [];
      for (const isChanged of [true, false, false, true]) {
        await stage.run(`isChanged = ${isChanged}; out.textContent = 'round ${counts.length}'`);
        await stage.act("click", { index });
        counts.push(saved);
      }
      expect(counts).toEqual([1, 1, 1, 2]);
    },
  );

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

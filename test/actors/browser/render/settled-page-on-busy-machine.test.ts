/** Tests how long a render waits for a page whose animation frames are drawn late, as on a busy machine. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { tmpdir } from "node:os";
import { type Browser, chromium } from "playwright";
import { provideChromium } from "../../../../actors/browser/index.ts";
import { waitUntilQuiet } from "../../../../actors/browser/render/functions-run-in-rendered-page.ts";
import { isFull } from "../../../test-run-tier-and-seed.ts";

/** Time limit of a test in milliseconds. It is long, because the test may have to install Chromium first. */
const PATIENCE = 120_000;
setDefaultTimeout(PATIENCE);
let browser: Browser;

beforeAll(async () => {
  const { path } = await provideChromium({
    folder: tmpdir(),
    signal: new AbortController().signal,
    log: () => {},
  });
  browser = await chromium.launch({ executablePath: path });
});

afterAll(async () => {
  await browser.close();
});

describe("the wait for a settled page", () => {
  test.if(isFull)(
    "continues while frames are drawn late, because the last of them may change the page",
    async () => {
      const page = await browser.newPage();
      await page.setContent("<p>Five frames</p>");
      await page.evaluate(() => {
        const FRAME_EVERY = 200;
        globalThis.requestAnimationFrame = (draw) => Number(setTimeout(draw, FRAME_EVERY));
        let frames = 0;
        const step = () => {
          frames += 1;
          if (frames < 5) requestAnimationFrame(step);
          else document.body.innerHTML += "<a href='/fifth'>fifth</a>";
        };
        requestAnimationFrame(step);
      });
      const reason = await page.evaluate(waitUntilQuiet, {
        quiet: 50,
        quietFrames: 6,
        emptyQuiet: 400,
        within: 10_000,
        textChanges: 3,
        drawn: true,
        marks: { busy: "[aria-busy]", text: "loading", textLength: 20, labelled: "[aria-label]" },
      });
      expect(reason).toBe("quiet");
      expect(await page.locator("a").count()).toBe(1);
    },
  );
});

/**
 * The floor of rendered crawls: four bare Playwright pages that are reused; nothing is stored.
 * `node bare-pages.mjs <start url> <pages> <chromium>` uses the protocol of `bench-compared-tool-process.ts`.
 */
import { chromium } from "playwright";

const PAGES = 4;
const [start = "", wanted = "0", executablePath = ""] = process.argv.slice(2);
const limit = Number(wanted);
const { origin } = new URL(start);
const queue = [start];
const seen = new Set(queue);
let taken = 0;
let pages = 0;

console.log("ready");
process.stdin.once("data", async () => {
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  const context = await browser.newContext();
  const pool = await Promise.all(Array.from({ length: PAGES }, () => context.newPage()));
  const work = async (page) => {
    while (pages < limit) {
      const url = queue[taken];
      if (url === undefined) return;
      taken++;
      const response = await page.goto(url);
      await page.content();
      const links = await page.$$eval("a[href]", (anchors) => anchors.map((anchor) => anchor.href));
      if (!response?.ok()) continue;
      pages++;
      for (const link of links) {
        const target = URL.parse(link);
        if (target?.origin !== origin || !/\.html$|\/$/.test(target.pathname)) continue;
        target.hash = "";
        if (seen.has(target.href)) continue;
        seen.add(target.href);
        queue.push(target.href);
      }
    }
  };
  // The first page is loaded alone. At first the queue contains only its URL, so all other workers would end
  // immediately.
  while (pages < limit && taken < queue.length) {
    const ahead = queue.length - taken;
    await Promise.all(pool.slice(0, Math.min(PAGES, ahead)).map(work));
  }
  console.log(`done ${Math.min(pages, limit)}`);
  process.exit(0);
});

/**
 * Crawlee's PlaywrightCrawler as its guide shows it: it stores title, text and links of each rendered page, with
 * automatic concurrency. `node playwright-crawler.mjs <start url> <pages> <chromium>` uses the protocol of
 * `bench-compared-tool-process.ts`.
 */
import { log, PlaywrightCrawler } from "@crawlee/playwright";

const [start = "", wanted = "0", executablePath = ""] = process.argv.slice(2);
log.setLevel(log.LEVELS.OFF);

let pages = 0;
const crawler = new PlaywrightCrawler({
  maxRequestsPerCrawl: Number(wanted),
  launchContext: { launchOptions: { executablePath, args: ["--no-sandbox"] } },
  async requestHandler({ request, page, pushData, enqueueLinks }) {
    const links = await page.$$eval("a[href]", (anchors) => anchors.map((anchor) => anchor.href));
    const text = await page.evaluate(() => document.body.textContent);
    await pushData({ url: request.loadedUrl, title: await page.title(), text, links });
    await enqueueLinks({ strategy: "same-origin" });
    pages++;
  },
});

console.log("ready");
process.stdin.once("data", async () => {
  await crawler.run([start]);
  console.log(`done ${pages}`);
  process.exit(0);
});

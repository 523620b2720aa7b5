/**
 * Crawlee's PlaywrightCrawler in the crawl bench, on Node, as its own guide shows it: title, text and links of each
 * rendered page kept in its data set, concurrency left to its autoscaling.
 *
 * `node playwright-crawler.mjs <start url> <pages> <chromium>`; speaks the protocol of `contestant.ts`.
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

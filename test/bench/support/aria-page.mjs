/**
 * Playwright's own snapshots in the bench of pages: `node aria-page.mjs <chromium>` is told `<url>` or `<mode>` in a
 * line, and answers a line of JSON: nothing of interest for an address, else how long it took in it, and the length.
 */
import { createInterface } from "node:readline";
import { chromium } from "playwright";

const [executablePath = ""] = process.argv.slice(2);
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
console.log("{}");
for await (const line of createInterface({ input: process.stdin })) {
  if (/^https?:/.test(line)) {
    await page.goto(line);
    console.log("{}");
    continue;
  }
  const start = performance.now();
  const text = await page.ariaSnapshot({ mode: line });
  console.log(JSON.stringify({ milliseconds: performance.now() - start, length: text.length }));
}
await browser.close();

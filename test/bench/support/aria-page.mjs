/**
 * Playwright's snapshots in the bench of analyses: `node aria-page.mjs <chromium>` receives a URL or a snapshot mode in
 * each line. It prints a line of JSON: `{}` for a URL, else the duration and the length of the snapshot.
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

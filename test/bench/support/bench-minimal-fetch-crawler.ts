/**
 * The least possible work (floor) in the bench of crawls: plain fetch and link extraction, 16 pages at a
 * time, nothing stored. `bun bench-minimal-fetch-crawler.ts <start url> <pages>` uses the protocol of
 * `bench-compared-tool-process.ts`.
 */
import { scanMarkup } from "../../e2e/support/independent-html-scanner.ts";

const AT_ONCE = 16;
const [start = "", wanted = "0"] = process.argv.slice(2);
const limit = Number(wanted);

console.log("ready");
for await (const _ of console) break;

const origin = new URL(start).origin;
const queue = [start];
const seen = new Set(queue);
let pages = 0;
let taken = 0;

async function read(url: string): Promise<void> {
  const response = await fetch(url);
  const html = await response.text();
  if (!response.ok || !(response.headers.get("content-type") ?? "").startsWith("text/html")) return;
  pages++;
  for (const href of scanMarkup(html).hrefs) {
    const target = URL.parse(href, url);
    if (target?.origin !== origin) continue;
    target.hash = "";
    if (!seen.has(target.href)) {
      seen.add(target.href);
      queue.push(target.href);
    }
  }
}

const open = new Set<Promise<void>>();
for (;;) {
  while (open.size < AT_ONCE && pages + open.size < limit) {
    const url = queue[taken];
    if (url === undefined) break;
    taken++;
    const reading: Promise<void> = read(url).finally(() => open.delete(reading));
    open.add(reading);
  }
  if (open.size === 0) break;
  await Promise.race(open);
}
console.log(`done ${Math.min(pages, limit)}`);

/**
 * `npm run screenshots`: writes the pictures of the README and the guide, taken from a real Cairn. It
 * explores a local copy of the Python manual and its own small application, so every picture shows real work.
 */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { chromium } from "playwright";
import { findChromium } from "../actors/browser/index.ts";
import { Cairn, dataFolder } from "./e2e/support/cairn-test-process.ts";
import { pythonManual } from "./e2e/support/python-manual-site.ts";
import { serveFolder } from "./sites/serve-test-folder.ts";

const OUT = join(import.meta.dir, "../gateway/docs/images");
const PAGES = 60;
const JOB = "python-manual";
/** Pause in milliseconds before a screenshot. In this time, live views draw their last event. */
const DRAWN = 1_500;
/**
 * Time limit in milliseconds for a page to show an expected element. The longest wait is for an exploration.
 */
const SHOWN = 120_000;

const found = await findChromium({});
if (!found) throw new Error("There is no Chromium. Start Cairn once, or set CAIRN_CHROMIUM.");
await mkdir(OUT, { recursive: true });
const site = serveFolder(await pythonManual());
const data = await dataFolder();
const cairn = await Cairn.start({ data: data.path });
const browser = await chromium.launch({ executablePath: found.path, args: ["--no-sandbox"] });
try {
  const start_url = `${site.origin}/library/index.html`;
  await cairn.post("/api/knowledge/explore/start", {
    start_url,
    max_pages: PAGES,
    job_id: JOB,
    knowledge_id: "python",
  });
  while ((await cairn.status(JOB)).status !== "completed") await Bun.sleep(250);
  await cairn.call("start_browser_session", { room_name: "demo", initial_url: start_url });

  const page = await browser.newPage({ viewport: { width: 1_440, height: 900 } });
  page.setDefaultTimeout(SHOWN);
  /** @param shown the selector of an element that must exist before the picture is taken */
  async function take(name: string, path?: string, shown = "h1"): Promise<void> {
    if (path !== undefined) await page.goto(cairn.url + path);
    await page.waitForSelector(shown, { state: "attached" });
    await page.waitForTimeout(DRAWN);
    const file = join(OUT, `${name}.png`);
    await page.screenshot({ path: file });
    console.log(file);
  }
  await page.goto(cairn.url);
  await page.getByRole("button", { name: "Try it", exact: true }).click();
  await page.locator("#state", { hasText: "completed" }).waitFor();
  await page.goto(`${cairn.url}/maps/try-it`);
  await page.getByRole("link", { name: "Invoice settings" }).click();
  await take("map");
  await page.locator(".take select").selectOption("try-it");
  await page.getByRole("button", { name: "Take me there" }).click();
  await page.getByRole("link", { name: "see it in try-it" }).click();
  await page.locator(".picture figcaption", { hasText: "/settings/invoices" }).waitFor();
  await take("session");
  await page.getByRole("button", { name: /^\d+ Desk/ }).click();
  await page.getByRole("button", { name: "Click", exact: true }).click();
  await page.locator(".picture figcaption", { hasText: "/desk" }).waitFor();
  await page.getByRole("link", { name: "Give it a task" }).click();
  await page.getByRole("textbox", { name: "Task" }).fill("Click Edit note");
  await page.getByRole("button", { name: "Plan it" }).click();
  await page.getByText(/round 1 of 3/).waitFor();
  await take("dialogue");
  await take("statechart", "/actors/exploration/python-manual", ".chart .state.active");
  await take("console", "/");
  await take("guide", "/guide/console");
} finally {
  await browser.close();
  await cairn.stop();
  await data.remove();
  await site.stop();
}

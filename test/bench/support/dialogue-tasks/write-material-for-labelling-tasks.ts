/**
 * Writes the material for labelling tasks by hand: for each page, its elements as text and as JSON, and a
 * picture. Usage:
 * `bun test/bench/support/dialogue-tasks/write-material-for-labelling-tasks.ts <folder>`
 */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { HighlightedElement } from "../../../../machines/session/page/page-snapshot.ts";
import { Cairn, dataFolder } from "../../../e2e/support/cairn-test-process.ts";
import { serveTaskPages, type TaskPage, taskPages } from "./dialogue-bench-pages.ts";

const [folder = "dialogue-pages"] = process.argv.slice(2);
await mkdir(folder, { recursive: true });
const site = await serveTaskPages();
const data = await dataFolder();
const cairn = await Cairn.start({ data: data.path });
try {
  for (const page of Object.keys(taskPages) as TaskPage[]) {
    await cairn.call("start_browser_session", { room_name: page, initial_url: site.url(page) });
    const { body } = await cairn.call("analyze_page", { room_name: page, viewport_only: false });
    const elements: readonly HighlightedElement[] = body.data.highlightedElements;
    await writeFile(join(folder, `${page}.txt`), `${elements.map(lineOf).join("\n")}\n`);
    await writeFile(join(folder, `${page}.json`), JSON.stringify(elements));
    const picture = await cairn.call("screenshot", { room_name: page, full_page: true });
    await writeFile(join(folder, `${page}.png`), Buffer.from(picture.body.data, "base64"));
    console.log(`${page}: ${elements.length} elements`);
    await cairn.call("close_browser_session", { room_name: page });
  }
} finally {
  await cairn.stop();
  await data.remove();
  await site.stop();
}

/**
 * Returns the line of an element for the person who writes labels. The line contains the element's selector,
 * because labels refer to elements by selector.
 */
function lineOf(element: HighlightedElement): string {
  const named = [
    ["text", element.textContent],
    ["label", element.labelText],
    ["aria-label", element.ariaLabel],
    ["placeholder", element.placeholder],
    ["icon", element.icon],
    ["value", element.value],
    ["options", element.options?.join(" | ")],
    ["in the row or card", element.around],
    ["disabled", element.disabled ? "yes" : undefined],
  ].flatMap(([name, value]) => (value ? [`${name}: ${JSON.stringify(value)}`] : []));
  const tag = [element.tagName, element.type].filter(Boolean).join(" ");
  return `${element.selector}\n    ${[element.role ?? tag, ...named].join(" · ")}`;
}

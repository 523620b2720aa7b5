/**
 * Measures whether the list of a page's elements contains what a person could act on, on third-party
 * dashboards and widgets. It measures precision and recall against Chromium's accessibility tree and event
 * listeners, and the number of tokens in the lines of the list.
 */
import { cpus } from "node:os";
import { parseArgs } from "node:util";
import type { ContextSession } from "../../actors/browser/session/browser-session.ts";
import { tokensOf } from "../../machines/session/page/token-estimate.ts";
import { sessionStage } from "../actors/browser/session/session-in-shared-test-browser.ts";
import { coverageOf } from "./support/accessibility-tree-recall.ts";
import type { Bench, Report, Row } from "./support/bench-module-interface.ts";
import { serveWidgetPages } from "./support/bench-widget-pages.ts";
import { precisionOf } from "./support/element-list-precision.ts";

export const bench: Bench = {
  about:
    "precision and recall of lists on third-party dashboards and widgets [--only <pattern of a name>] [--pages]",
  run,
};

async function run(options: readonly string[]): Promise<Report> {
  const { values } = parseArgs({
    args: [...options],
    options: { only: { type: "string", default: "" }, pages: { type: "boolean", default: false } },
  });
  const widgets = serveWidgetPages();
  const stage = await sessionStage();
  // The cast is safe: `openSession` returns a `ContextSession`.
  const session = stage.session as ContextSession;
  const total = { listed: 0, right: 0, nodes: 0, reported: 0, tokens: 0, unnamed: 0 };
  const rows: Row[] = [];
  const libraries = new Set<string>();
  let pages = 0;
  try {
    for (const [library, name, url] of widgets.pages) {
      if (!new RegExp(values.only).test(`${library} ${name}`)) continue;
      await session.open(url);
      const { clickableElementsString, totalElements } = await stage.analyze();
      if (totalElements === 0) continue;
      const { listed, right, wrong, unnamed } = await precisionOf(session);
      const { nodes, reported, missing } = await coverageOf(session);
      const tokens = tokensOf(clickableElementsString);
      pages++;
      libraries.add(library);
      total.listed += listed;
      total.right += right;
      total.nodes += nodes;
      total.reported += reported;
      total.tokens += tokens;
      total.unnamed += unnamed;
      const percent = ((right / Math.max(1, listed)) * 100).toFixed(1);
      console.log(
        `${library} ${name}: ${right} of ${listed} right (${percent} %), ${reported} of ${nodes} reported, ${unnamed} unnamed, ${tokens} tokens`,
      );
      const shown = values.pages ? 40 : 4;
      for (const line of wrong.slice(0, shown)) console.log(`    not actionable: ${line.slice(0, 140)}`);
      for (const line of missing.slice(0, shown)) console.log(`    missing ${line}`);
    }
  } finally {
    await stage.close();
    await widgets.stop();
  }
  const share = (part: number, of: number): number => (of === 0 ? Number.NaN : part / of);
  rows.push(
    {
      name: `precision over ${total.listed} elements`,
      figure: share(total.right, total.listed),
      unit: "",
      target: { bound: "at least", value: 0.95, label: "0.95" },
    },
    {
      name: `recall over ${total.nodes} accessible nodes`,
      figure: share(total.reported, total.nodes),
      unit: "",
      target: { bound: "at least", value: 0.995, label: "0.995" },
    },
    {
      name: "lines without a name",
      figure: total.unnamed,
      unit: "",
      target: { bound: "at most", value: 0, label: "none" },
    },
    { name: "tokens of the lines", figure: total.tokens, unit: "" },
  );
  return {
    bench: "element-lists",
    conditions: {
      pages,
      libraries: libraries.size,
      cores: cpus().length,
      date: new Date().toISOString().slice(0, 10),
    },
    rows,
  };
}

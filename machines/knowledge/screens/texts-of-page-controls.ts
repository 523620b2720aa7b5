/**
 * The names by which a person recognises the controls of a page: labels of fields, their groups, captions of
 * buttons, and headers of tables. The main content of a page, which is searched too, lacks most of them.
 */
import type { PageRecord } from "../../records/page-records.ts";
import { metadataOf } from "./page-record-metadata.ts";
import { controlsOf } from "./page-to-screen.ts";
import { tidy } from "./screen-name-from-title.ts";

/**
 * Maximum number of different names of one page. On 180 pages of pretix and Unleash, half of the pages had at most
 * 17 names, and the largest form had 167.
 */
const MOST_NAMES = 200;
/** Maximum length of a name in characters. A longer text is a description, such as that of a checkbox. */
const LONGEST_NAME = 80;

/**
 * Maximum number of options of a list that are fixed by the application, such as the themes of Miniflux and the strategies
 * of a maintenance in Uptime Kuma. Longer lists are mostly data, such as countries or customers.
 */
const MOST_OPTIONS = 12;

/** Returns the options of the page's short lists, one a line. */
export function optionTexts(page: Pick<PageRecord, "controls" | "headings">): string {
  return controlsOf(page)
    .inputs.flatMap(({ constraints: { options = [] } = {} }) =>
      options.length > MOST_OPTIONS ? [] : options,
    )
    .join("\n");
}

/** Returns the names of the page's controls and columns, one a line and each once. */
export function controlTexts(page: Pick<PageRecord, "controls" | "headings" | "metadata">): string {
  const { buttons, inputs, forms } = controlsOf(page);
  const { tables } = metadataOf(page);
  const names = new Set<string>();
  const add = (text: string | undefined) => {
    const name = tidy(text ?? "").slice(0, LONGEST_NAME);
    if (name !== "" && names.size < MOST_NAMES) names.add(name);
  };
  for (const { name, constraints } of inputs) {
    add(constraints?.group);
    add(name);
  }
  for (const { fields, submit } of forms) {
    for (const field of fields) add(field);
    add(submit);
  }
  for (const { name } of buttons) add(name);
  for (const { caption, columns } of tables) {
    add(caption ?? undefined);
    for (const column of columns) add(column);
  }
  return [...names].join("\n");
}

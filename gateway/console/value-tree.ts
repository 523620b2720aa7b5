/**
 * JSON as a tree that opens and closes by mouse and keyboard, without a script.
 * Each branch carries its path, so that the script can restore open branches after a new rendering.
 */
import { Html, html } from "./html.ts";

/** Levels that are open at first. */
const OPEN_LEVELS = 1;
const OPEN = new Html(" open");

function brief(value: object): string {
  if (Array.isArray(value)) return value.length === 0 ? "[]" : `[${value.length}]`;
  const count = Object.keys(value).length;
  return count === 0 ? "{}" : `{${count}}`;
}

function branch(name: string, value: unknown, path: string, level: number): Html {
  if (typeof value !== "object" || value === null || Object.keys(value).length === 0) {
    const shown =
      typeof value === "object" && value !== null ? brief(value) : (JSON.stringify(value) ?? "null");
    return html`<div class="leaf"><b>${name}</b>: <span class="value">${shown}</span></div>`;
  }
  const entries: [string, unknown][] = Object.entries(value);
  return html`<details class="tree" data-path="${path}"${level < OPEN_LEVELS && OPEN}><summary><b>${name}</b> <span class="soft">${brief(value)}</span></summary><div>${entries.map(
    ([key, item]) => branch(key, item, `${path}/${key}`, level + 1),
  )}</div></details>`;
}

export function valueTree(value: unknown): Html {
  if (typeof value !== "object" || value === null || Object.keys(value).length === 0) {
    return html`<p class="empty">Nothing.</p>`;
  }
  return html`${Object.entries(value).map(([key, item]) => branch(key, item, key, 0))}`;
}

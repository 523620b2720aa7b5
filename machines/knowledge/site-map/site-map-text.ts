/** Site maps as indented text, for people and for models. */
import { functionKinds, kindTitles, type SiteFunction } from "./site-functions-list.ts";
import type { Section } from "./site-map-tree.ts";

/** Maximum number of screens that the text lists with one function (a form or a control). */
const NAMED_SCREENS = 3;

interface Line {
  readonly text: string;
  readonly below: readonly Line[];
}

/**
 * Draws the sections of a site as a tree, with one line for each section and each page. Each section shows
 * how many of its pages were omitted.
 */
export function semanticText(sections: readonly Section[]): string {
  return drawn(sections.map((section) => sectionLine(section)));
}

function sectionLine({ name, path, pages, screens, children, more }: Section): Line {
  const host = hostOf(path);
  const below = children.map(sectionLine);
  for (const { title, url } of screens) {
    // If the page at a section's address has the section's name, the line of the section already stands for
    // it. So the page gets no line.
    if (sameAddress(url, path) && title === name) continue;
    below.push({ text: `${oneLine(title)}  ${withoutHost(url, host)}`, below: [] });
  }
  // Counts the omitted pages of this section without its subsections. Each subsection's line shows the
  // subsection's own number.
  const here = more - children.reduce((sum, child) => sum + child.more, 0);
  if (here > 0) below.push({ text: `… ${here} more; ask for section ${path}`, below: [] });
  const shown = path === `${host}/` ? "" : `  ${withoutHost(path, host)}`;
  return { text: `${oneLine(name)} (${pages} ${pages === 1 ? "page" : "pages"})${shown}`, below };
}

/** Lists the functions by kind: a heading for each kind, and a line for each function with its screens. */
export function functionalText(
  functions: readonly SiteFunction[],
  titleOf: (screenId: string) => string | undefined,
  screens: number,
): string {
  const lines = functionKinds.flatMap((kind): Line[] => {
    const own = functions.filter((one) => one.kind === kind);
    if (own.length === 0) return [];
    return [
      {
        text: kindTitles[kind],
        below: own.map((one) => ({ text: functionText(one, titleOf, screens), below: [] })),
      },
    ];
  });
  return drawn(lines);
}

function functionText(
  { name, screens, screen_ids }: SiteFunction,
  titleOf: (screenId: string) => string | undefined,
  all: number,
): string {
  const label = oneLine(name) || "(without a name)";
  if (screens === all && all > 1) return `${label}  on every screen`;
  const titles = screen_ids.slice(0, NAMED_SCREENS).map((id) => oneLine(titleOf(id) ?? id));
  const more = screens - titles.length;
  return `${label}  on ${titles.join("; ")}${more > 0 ? ` and ${more} more` : ""}`;
}

function drawn(lines: readonly Line[]): string {
  const out: string[] = [];
  const draw = (line: Line, lead: string, rest: string): void => {
    out.push(lead + line.text);
    for (const [at, below] of line.below.entries()) {
      const last = at === line.below.length - 1;
      draw(below, `${rest}${last ? "└─ " : "├─ "}`, `${rest}${last ? "   " : "│  "}`);
    }
  };
  for (const line of lines) draw(line, "", "");
  return out.join("\n");
}

function hostOf(path: string): string {
  return URL.parse(path)?.origin ?? "";
}

function withoutHost(url: string, host: string): string {
  return host !== "" && url.startsWith(host) ? url.slice(host.length) || "/" : url;
}

function sameAddress(a: string, b: string): boolean {
  return a.replace(/\/$/, "") === b.replace(/\/$/, "");
}

function oneLine(text: string): string {
  return text.replace(/\s+/gu, " ").trim();
}

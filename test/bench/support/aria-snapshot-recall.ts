/**
 * Measures how many interactive nodes of an ARIA snapshot (`@playwright/mcp`, with boxes) the lines of an
 * analysis contain. Nodes without a size, left of the page or above it do not count, because no user can see
 * them.
 */

const ROLES = new Set(
  (
    "button link textbox searchbox checkbox radio switch slider spinbutton combobox listbox menuitem " +
    "menuitemcheckbox menuitemradio tab treeitem"
  ).split(" "),
);
/**
 * Maximum number of characters of a name that are compared, because lines of an analysis cut longer names.
 */
const COMPARED = 80;

export interface Recall {
  readonly nodes: number;
  readonly reported: number;
  readonly missing: readonly string[];
}

const plain = (text: string): string =>
  text
    // Removes private use characters, with which icon fonts draw icons, and unifies quotes and white space.
    .replace(/[\s\p{Cc}\p{Co}]+/gu, " ")
    .replaceAll('"', "'")
    .trim()
    .toLowerCase();

/**
 * Whether the element in a line of an ARIA snapshot is visible, or can be scrolled to. The line contains the
 * element's box. The page is not scrolled, so the box is the element's position on the page.
 */
function isReachable(line: string): boolean {
  const [, x, y, width, height] =
    /\[box=(-?[\d.]+),(-?[\d.]+),([\d.]+),([\d.]+)\]/.exec(line)?.map(Number) ?? [];
  if (x === undefined || y === undefined || width === undefined || height === undefined) return true;
  return width > 1 && height > 1 && x + width > 0 && y + height > 0;
}

/**
 * Returns the names of the interactive nodes of an aria snapshot. A node without a name is represented by its
 * role, as `<role>`.
 */
function namesIn(snapshot: string): readonly string[] {
  return snapshot.split("\n").flatMap((line) => {
    const [, role = "", name] = /^\s*- '?([a-z]+)(?: "((?:[^"\\]|\\.)*)")?/.exec(line) ?? [];
    if (!ROLES.has(role) || !isReachable(line)) return [];
    // In a quoted text, YAML writes a quote character twice.
    const text = name === undefined ? "" : plain(name.replaceAll("''", "'").replace(/\\(.)/g, "$1"));
    return [text === "" ? `<${role}>` : text.slice(0, COMPARED)];
  });
}

function counted(texts: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
}

/**
 * Compares the interactive nodes of an ARIA snapshot with the lines of Cairn's page analysis. Each line
 * represents one element. So three nodes with the same name need three lines with this name.
 */
export function recallOf(snapshot: string, lines: string): Recall {
  const shown = lines.split("\n").flatMap((line) => {
    const [, element] = /^\W*\[\d+\](<.*)$/.exec(line) ?? [];
    return element === undefined ? [] : [plain(element)];
  });
  const texts = counted(shown.map((line) => line.replace(/^<[^>]*>|<\/[^<]*>$/g, "").slice(0, COMPARED)));
  const wanted = counted(namesIn(snapshot));
  let nodes = 0;
  let reported = 0;
  const missing: string[] = [];
  for (const [name, count] of wanted) {
    nodes += count;
    const isNameless = name.startsWith("<");
    const exact = texts.get(name) ?? 0;
    // A node without a name always counts as reported. A node with a name counts if a line has exactly this
    // text. If too few lines have it, lines that contain the name count too.
    const there = isNameless || exact >= count ? count : shown.filter((line) => line.includes(name)).length;
    reported += Math.min(count, there);
    if (there < count) missing.push(`${name} (${there} of ${count})`);
  }
  return { nodes, reported, missing };
}

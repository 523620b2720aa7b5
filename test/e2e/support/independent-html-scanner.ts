/**
 * An HTML scanner that does not share code with Cairn's. It finds links, the base address and the title, but
 * builds no tree.
 */

export interface Markup {
  readonly title: string;
  readonly base: string | undefined;
  /** The `href` of every `a` and `area` in document order. Character references are decoded. */
  readonly hrefs: readonly string[];
}

const TOKEN = /<!--[\s\S]*?(?:-->|$)|<(\/?)([a-zA-Z][^\s/>]*)((?:[^>"']|"[^"]*"|'[^']*')*)>/g;
const ATTRIBUTE = /([^\s=/"'>]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?/g;
const RAW_TEXT = new Set(["script", "style", "textarea", "noscript", "template", "iframe"]);
const NAMED: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: "\u00a0",
};

export function scanMarkup(html: string): Markup {
  const hrefs: string[] = [];
  let base: string | undefined;
  let title = "";
  TOKEN.lastIndex = 0;
  for (let match = TOKEN.exec(html); match; match = TOKEN.exec(html)) {
    const [, closing, name, rest = ""] = match;
    if (name === undefined || closing) continue;
    const tag = name.toLowerCase();
    if (tag === "a" || tag === "area") {
      const href = attribute(rest, "href");
      if (href !== undefined) hrefs.push(href);
    } else if (tag === "base") {
      base ??= attribute(rest, "href");
    } else if (tag === "title" && title === "") {
      const end = html.indexOf("</title", TOKEN.lastIndex);
      title = decode(html.slice(TOKEN.lastIndex, end < 0 ? undefined : end)).trim();
    } else if (RAW_TEXT.has(tag)) {
      const end = html.toLowerCase().indexOf(`</${tag}`, TOKEN.lastIndex);
      TOKEN.lastIndex = end < 0 ? html.length : end;
    }
  }
  return { title, base, hrefs };
}

function attribute(text: string, wanted: string): string | undefined {
  for (const [, name, double, single, bare] of text.matchAll(ATTRIBUTE)) {
    if (name?.toLowerCase() === wanted) return decode(double ?? single ?? bare ?? "");
  }
  return undefined;
}

function decode(text: string): string {
  return text.replace(
    /&(?:#x([0-9a-f]+)|#(\d+)|([a-z]+));?/gi,
    (whole, hex?: string, decimal?: string, name?: string) => {
      if (hex) return String.fromCodePoint(Number.parseInt(hex, 16));
      if (decimal) return String.fromCodePoint(Number(decimal));
      return NAMED[name ?? ""] ?? whole;
    },
  );
}

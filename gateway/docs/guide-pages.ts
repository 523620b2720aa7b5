/**
 * The guide at `/guide`: the Markdown files of `guide/`, rendered when they are requested. Links between
 * pages are written as `sessions.md`, so that they also work on GitHub.
 */
import { readFile } from "node:fs/promises";
import type { Marked, MarkedExtension } from "marked";
import { Refused } from "../../machines/errors.ts";
import { escapeHtml, Html, html } from "../console/escaped-html-template.ts";
import { pageResponse } from "../console/html-layout-of-gateway-pages.ts";

export const GUIDE_PATH = "/guide";
/** The index page of the guide, which lists the other pages. */
const CONTENTS = "index";

const folder = new URL("./guide/", import.meta.url);

export interface GuidePage {
  readonly title: string;
  readonly html: string;
}

/** Returns the anchor of a heading, as GitHub computes it. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replace(/\s/g, "-");
}

/**
 * Converts a link such as `sessions.md#actions` to the address of the rendered page. Other links stay
 * unchanged.
 */
function addressOf(href: string): string {
  const page = /^([a-z0-9-]+)\.md(#.*)?$/.exec(href);
  if (!page) return href;
  const [, name, anchor = ""] = page;
  return name === CONTENTS ? `${GUIDE_PATH}${anchor}` : `${GUIDE_PATH}/${name}${anchor}`;
}

const EXTENSION: MarkedExtension = {
  renderer: {
    heading({ tokens, depth, text }) {
      return `<h${depth} id="${anchorOf(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
    },
    link({ href, tokens }) {
      return `<a href="${addressOf(href)}">${this.parser.parseInline(tokens)}</a>`;
    },
    image({ href, text }) {
      const picture = /^\.\.\/images\/([a-z0-9-]+\.png)$/.exec(href)?.[1];
      return `<img src="${picture === undefined ? href : `${GUIDE_PATH}/images/${picture}`}" alt="${escapeHtml(text)}" loading="lazy">`;
    },
    // A wide table gets a box in which it scrolls, so that the page itself does not become wider.
    table(token) {
      const cells = (row: typeof token.header, tag: string) =>
        row.map((cell) => `<${tag}>${this.parser.parseInline(cell.tokens)}</${tag}>`).join("");
      const rows = token.rows.map((row) => `<tr>${cells(row, "td")}</tr>`).join("\n");
      return `<div class="wide"><table><thead><tr>${cells(token.header, "th")}</tr></thead><tbody>${rows}</tbody></table></div>\n`;
    },
  },
};

let renderer: Marked | undefined;

/** Renders one page. Throws `request.not_found` (404) when the guide has no page of that name. */
async function readGuide(name: string): Promise<GuidePage> {
  const source = /^[a-z0-9-]+$/.test(name)
    ? await readFile(new URL(`${name}.md`, folder), "utf8").catch(() => undefined)
    : undefined;
  if (source === undefined) {
    throw new Refused("request.not_found", `The guide has no page of that name. ${GUIDE_PATH} lists them.`, {
      status: 404,
    });
  }
  const title = /^# (.+)$/m.exec(source)?.[1] ?? name;
  // The Markdown renderer is loaded only here, because many nodes never show the guide.
  const { Marked } = await import("marked");
  renderer ??= new Marked(EXTENSION);
  return { title, html: await renderer.parse(source) };
}

/** Returns a picture of the guide. Throws `request.not_found` (404) when there is none of that name. */
export async function pictureResponse(name: string): Promise<Response> {
  const picture = /^[a-z0-9-]+\.png$/.test(name)
    ? await readFile(new URL(`./images/${name}`, import.meta.url)).catch(() => undefined)
    : undefined;
  if (picture === undefined) {
    throw new Refused("request.not_found", `The guide has no picture ${name}.`, { status: 404 });
  }
  return new Response(picture, {
    headers: {
      "content-type": "image/png",
      "cache-control": "no-cache",
      "x-content-type-options": "nosniff",
    },
  });
}

export async function guideResponse(name: string = CONTENTS): Promise<Response> {
  const [page, contents] = await Promise.all([readGuide(name), readGuide(CONTENTS)]);
  // The rendered Markdown is trusted, because it comes from this repository.
  const body = html`<div class="guide">
<nav class="contents" aria-label="Guide">${new Html(contents.html.replace(/<\/a>:[^<]*/g, "</a>"))}</nav>
<article>${new Html(page.html)}</article>
</div>`;
  return pageResponse({ title: page.title, body: name === CONTENTS ? new Html(contents.html) : body });
}

/** A template literal for HTML that escapes every inserted value. */

export function escapeHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");
}

/** HTML that is already escaped. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Content = Html | string | number | null | undefined | false | readonly Content[];

function render(content: Content): string {
  if (content === null || content === undefined || content === false) return "";
  if (content instanceof Html) return content.text;
  if (Array.isArray(content)) return content.map(render).join("");
  return escapeHtml(String(content));
}

/**
 * Builds HTML from a template: strings are escaped, `Html` values and lists of them are inserted unchanged,
 * and null and false are omitted.
 */
export function html(strings: TemplateStringsArray, ...contents: readonly Content[]): Html {
  return new Html(String.raw({ raw: strings }, ...contents.map(render)));
}

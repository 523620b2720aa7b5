/**
 * HTML that is written by hand: a template that escapes whatever is put into it.
 */

export function escapeHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");
}

/** Markup that needs no escaping any more. */
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

/** `html\`<p>${anything}</p>\``: strings are escaped, `Html` and lists of it are not; null and false are nothing. */
export function html(strings: TemplateStringsArray, ...contents: readonly Content[]): Html {
  return new Html(String.raw({ raw: strings }, ...contents.map(render)));
}

/**
 * Decides which pages are copies of each other. A site may have a page at several addresses: in each version of
 * a manual, or as a view for printing.
 */

/**
 * A page with fewer different words than this never counts as a copy. Different pages may have the same short
 * text, such as "Sign in to continue".
 */
const COPY_WORDS = 30;

/**
 * Returns a text that is equal for a page and its copies; `undefined` if the page is too short. Pages of several
 * records or tabs may have the same body, so the title is compared too.
 */
export function copyText(title: string, body: string): string | undefined {
  const words = new Set<string>();
  for (let from = 0; from < body.length; ) {
    const space = body.indexOf(" ", from);
    const end = space < 0 ? body.length : space;
    if (end > from) words.add(body.slice(from, end));
    if (words.size === COPY_WORDS) return `${title}\n${body}`;
    from = end + 1;
  }
  return undefined;
}

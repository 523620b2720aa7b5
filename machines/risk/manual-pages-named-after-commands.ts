/**
 * Recognises pages of a manual that are named after a command, such as `/docs/cli/enable`. In an application, an
 * address that ends in such a word may change something.
 */

/**
 * Matches the address of a manual's page that is named after a command, such as
 * `/reference/cli/docker/plugin/enable/` (Docker) and `/docs/commands/secrets/enable` (Vault). The address
 * must have a folder such as `docs` or `reference`, and at least one section below it. It must have no id and
 * no parameter.
 */
const COMMAND_PAGE =
  /^https?:\/\/[^/?#]+\/(?:[^/?#]+\/)*(?:docs|documentation|manual|reference)\/(?:[a-z][a-z_-]*\/|v?\d+(?:\.[\dx]+)+\/)+(?:enable|disable|activate|deactivate|toggle|resend)(?:\.html?)?\/?$/i;

/**
 * A page that is named after a command has other pages in its folder. This is the minimum number of them to
 * which one page of the manual must link. Docker's manual has nine next to `plugin/enable`, and Vault's has
 * two next to `audit/enable`.
 */
const SIBLINGS = 2;

/**
 * Matches addresses which show that their folder is an item of an application and no part of a manual: the
 * item's form or its history. For example, a wiki has `/docs/{page}/edit` next to `/docs/{page}/disable`.
 */
const PAGE_OF_ITEM = /\/(?:edit|history|revisions|versions|permissions)\/?$/i;

/**
 * Matches an address that ends in a word, as those of a manual's pages do, and not in an id or a parameter.
 */
const WORD_PAGE = /\/[a-z][a-z_-]*(?:\.html?)?\/?$/i;

/** Whether the address may be that of a page of a manual that is named after a command. */
export function isCommandPage(url: string): boolean {
  return COMMAND_PAGE.test(url);
}

/**
 * Returns those links of one page that lead to command pages: pages of a manual that are named after a command. The
 * folder of a command page has several other pages with words as names, and no page of an item.
 */
export function commandPagesAmong(links: readonly string[]): ReadonlySet<string> {
  const commands = links.filter(isCommandPage);
  if (commands.length === 0) return new Set();
  const folders = Map.groupBy(new Set(links.filter((url) => WORD_PAGE.test(url))), folderOf);
  return new Set(
    commands.filter((url) => {
      const pages = folders.get(folderOf(url)) ?? [];
      return pages.length > SIBLINGS && !pages.some((page) => PAGE_OF_ITEM.test(page));
    }),
  );
}

function folderOf(url: string): string {
  return url.slice(0, url.replace(/\/$/, "").lastIndexOf("/"));
}

/**
 * Names a page by its section and its selected tabs, if the application gives several pages the same title and the same
 * heading: "Realm settings – Email".
 */

/**
 * What a page shows of its application: its heading, its entry in the navigation, its selected tabs and its
 * address.
 */
interface ShownPart {
  readonly heading: string;
  /** Text of the menu entry that the page marks as current. */
  readonly entry?: string | undefined;
  /** The selected tabs, in document order. */
  readonly tabs: readonly string[];
  /** The parts of the page's path or client-side route. */
  readonly segments: readonly string[];
}

/** Minimum number of letters and digits of a text that is compared with a part of an address. */
const MIN_LENGTH = 3;

const plain = (text: string): string => text.toLowerCase().replace(/[^\p{L}\d]+/gu, "");

/** A text without the "s" of a plural, so that "Automations" names `automation`. */
const singular = (text: string): string => plain(text).replace(/s$/, "");

/**
 * Whether a text names a segment of an address, at least in part: "Realm settings" names `realm-settings`,
 * and "Keys list" names `list`.
 */
function names(text: string, segment: string): boolean {
  const [own, part] = [singular(text), singular(segment)];
  if (own.length < MIN_LENGTH || part.length < MIN_LENGTH) return false;
  return own === part || own.endsWith(part) || part.endsWith(own);
}

/**
 * Returns the name of the section that a page shows. This is the heading, unless the entry of the navigation
 * names a later segment of the address than the heading does. The heading then names a larger unit, such as
 * the realm in Keycloak, and the entry is returned.
 */
export function headingOfSection({ heading, entry, segments }: Omit<ShownPart, "tabs">): string {
  const of = (text: string): number => segments.findLastIndex((segment) => names(text, segment));
  return entry !== undefined && of(heading) >= 0 && of(heading) < of(entry) ? entry : heading;
}

/**
 * Returns the section of a page with its selected tabs, such as "Realm settings – Email"; `undefined` without
 * a tab. A tab counts only if the address names it. Other tabs, such as one for an example in another
 * language, may be selected on any page.
 */
export function titleWithTabs(part: ShownPart): string | undefined {
  const section = headingOfSection(part);
  const tabs = part.tabs.filter(
    (tab) => tab !== section && part.segments.some((segment) => names(tab, segment)),
  );
  return tabs.length === 0 ? undefined : [section, ...tabs].join(" – ");
}

/**
 * Returns the name of a page without a heading, if other pages have the same title: "Automations – Settings". The
 * first part of the name is the page's selected tabs that its address names, or else the last word of its address.
 * The second part is the common title. Returns `undefined` if there is no first part.
 */
export function titleOfPageWithoutHeading(
  title: string,
  { tabs, segments }: Pick<ShownPart, "tabs" | "segments">,
): string | undefined {
  const named = tabs.filter((tab) => segments.some((segment) => names(tab, segment)));
  const word = segments.findLast((segment) => WORD.test(segment) && !PAGE_OF_SECTION.test(segment));
  const own = named.length > 0 ? named.join(" – ") : word && capitalised(word.replace(/[-_+]+/g, " "));
  return own === undefined || singular(title).startsWith(singular(own)) ? undefined : `${own} – ${title}`;
}

/** Matches a part of an address that consists of words, and is no number, code or file. */
const WORD = /^\p{L}{3,}(?:[-_+]\p{L}+)*$/u;
/**
 * Names of the first page of a section, such as "index". For such a page, the name of the section is used, because it
 * says more.
 */
const PAGE_OF_SECTION = /^(?:dashboard|index|overview|main|home|list|show|view|edit|default)$/i;

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

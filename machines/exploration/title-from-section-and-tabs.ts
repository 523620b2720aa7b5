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
  /** The current entry of the navigation. */
  readonly entry?: string | undefined;
  /** The selected tabs, in document order. */
  readonly tabs: readonly string[];
  /** The parts of the page's path or client-side route. */
  readonly segments: readonly string[];
}

/** Minimum number of letters and digits of a text that is compared with a part of an address. */
const MIN_LENGTH = 3;

const plain = (text: string): string => text.toLowerCase().replace(/[^\p{L}\d]+/gu, "");

/**
 * Whether a text names a segment of an address, at least in part: "Realm settings" names `realm-settings`,
 * and "Keys list" names `list`.
 */
function names(text: string, segment: string): boolean {
  const [own, part] = [plain(text), plain(segment)];
  if (own.length < MIN_LENGTH || part.length < MIN_LENGTH) return false;
  return own === part || own.endsWith(part) || part.endsWith(own);
}

/**
 * Returns the name of the section that a page shows. This is the heading, unless it names a larger unit, such
 * as the realm in Keycloak. In this case, the entry of the navigation names a later segment of the address
 * than the heading does, and the entry is returned.
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

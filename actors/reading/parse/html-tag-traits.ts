/** Properties of HTML tags, such as whether a tag is a block, contains no visible text, or is a landmark. */

/** Tags that browsers lay out as blocks. A block ends a line of text. */
export const BLOCK_TAGS: ReadonlySet<string> = new Set(
  (
    "address article aside blockquote body center dd details dialog dir div dl dt fieldset figcaption figure footer " +
    "form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav ol optgroup option p pre search section " +
    "summary table tbody td tfoot th thead tr ul caption"
  ).split(" "),
);

/** Tags that belong to the head when they occur before the body. */
export const HEAD_TAGS: ReadonlySet<string> = new Set(
  "base basefont bgsound link meta noscript script style template title".split(" "),
);

/** Tags whose content browsers do not show as text. */
const SILENT_TAGS: ReadonlySet<string> = new Set(
  (
    "script style template head title meta link base noframes iframe object embed applet canvas svg audio video " +
    "datalist select input textarea button map"
  ).split(" "),
);

/** Tags of navigation, controls and labels, and tags whose content is not text. */
const SPECIAL_TAGS: ReadonlySet<string> = new Set([
  ...SILENT_TAGS,
  ..."nav th legend label summary noscript head option optgroup math".split(" "),
]);

export interface TagTraits {
  readonly block: boolean;
  readonly silent: boolean;
  /** Whether the element usually contains visible text, and is not for navigation, controls or labels. */
  readonly plain: boolean;
}

const INLINE: TagTraits = { block: false, silent: false, plain: true };
const TRAITS: ReadonlyMap<string, TagTraits> = new Map(
  [...BLOCK_TAGS, ...SPECIAL_TAGS].map((tag) => [
    tag,
    { block: BLOCK_TAGS.has(tag), silent: SILENT_TAGS.has(tag), plain: !SPECIAL_TAGS.has(tag) },
  ]),
);

/**
 * Returns the traits (properties) of a tag, such as whether it is a block. They were computed once and are
 * shared by all elements with this tag.
 */
export function traitsOf(tag: string): TagTraits {
  return TRAITS.get(tag) ?? INLINE;
}

/** The landmark role that a tag has by default (WAI-ARIA in HTML). */
export const LANDMARK_TAGS: Readonly<Record<string, string>> = {
  main: "main",
  nav: "navigation",
  header: "banner",
  footer: "contentinfo",
  aside: "complementary",
  form: "form",
  search: "search",
};

export const LANDMARK_ROLES: ReadonlySet<string> = new Set(
  "main navigation banner contentinfo complementary form search region".split(" "),
);

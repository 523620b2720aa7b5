/** Recognises the tags of an entry in a list, such as "archive-me" on the card of a workflow. */
import type { HighlightedElement } from "./page-snapshot.ts";

/**
 * Matches a class of a tag: `n8n-tag`, `v-chip` of Vuetify, `badge` of Bootstrap, `mat-mdc-chip` of Angular Material. A
 * click on a tag only shows the entries that have it, whatever verb is in its name.
 */
const TAG_CLASS = /(?:^|\s)(?:[a-z\d]+-)*(?:tag|chip|badge)(?=\s|$)/iu;

/** Whether an element is a tag of an entry, and no button. */
export const isEntryTag = ({ tagName, role, attributes }: HighlightedElement): boolean =>
  tagName !== "button" && role !== "button" && TAG_CLASS.test(attributes.class ?? "");

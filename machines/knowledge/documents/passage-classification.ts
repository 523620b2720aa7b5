/**
 * Classifies a passage of text by the rules of the protocol specification, which defines the interfaces of Cairn. Words of
 * instructions make it documentation; an address or the name of an interface element makes it `web_ui`. Visited pages are
 * not classified.
 */
import { type ContentType, contentTypes } from "../../records/map-records.ts";

/** Words by which documentation is recognised, as in the protocol specification. */
const DOCUMENTATION_WORDS = [
  "conversational",
  "phone call",
  "voice assistant",
  "follow-up questions",
  "empathetic listener",
  "instruction",
  "guideline",
  "protocol",
];

/**
 * Words in a passage (part of a document) by which it counts as the description of a user interface. They are from
 * the protocol specification.
 */
const INTERFACE_WORDS = [
  "dashboard",
  "form",
  "button",
  "input",
  "navigation",
  "page",
  "screen",
  "modal",
  "dialog",
  "menu",
];

const ADDRESS = /https?:\/\/|\/[\w/-]+/;

/**
 * Whether a text describes a screen of an application, by the rule `_is_web_ui_screen` of the protocol
 * specification.
 */
export function describesScreen(text: string, name: string): boolean {
  const lower = `${name}\n${text}`.toLowerCase();
  if (DOCUMENTATION_WORDS.some((word) => lower.includes(word))) return false;
  return ADDRESS.test(text) || INTERFACE_WORDS.some((word) => lower.includes(word));
}

/** Whether a value is one of the content types in the protocol specification. */
function isContentType(value: string): value is ContentType {
  return contentTypes.some((type) => type === value);
}

export interface Classification {
  readonly content_type: ContentType;
  readonly is_actionable: boolean;
}

/**
 * Classifies a passage of a document.
 *
 * @param given the content type, if the kind of document determines it, such as an API description; if it is
 * `undefined`, the rules classify the text
 */
export function classify(text: string, name: string, given?: ContentType): Classification {
  const isScreen = describesScreen(text, name);
  if (given === undefined)
    return { content_type: isScreen ? "web_ui" : "documentation", is_actionable: isScreen };
  // A video shows steps that a person can repeat in the application, so its passages may be actionable. The
  // operations of an API description have no screen, so its passages are not actionable.
  return { content_type: given, is_actionable: given === "video_transcript" && isScreen };
}

export interface DocumentStatistics {
  readonly web_ui_screens: number;
  readonly documentation_screens: number;
  readonly actionable_screens: number;
  readonly non_actionable_screens: number;
  readonly by_content_type: Readonly<Record<string, number>>;
}

/** Counts the passages of a document by content type, in the form of the protocol specification. */
export function statisticsOf(passages: readonly Classification[]): DocumentStatistics {
  const by_content_type: Record<string, number> = {};
  let actionable = 0;
  for (const { content_type, is_actionable } of passages) {
    by_content_type[content_type] = (by_content_type[content_type] ?? 0) + 1;
    if (is_actionable) actionable += 1;
  }
  return {
    web_ui_screens: by_content_type.web_ui ?? 0,
    documentation_screens: by_content_type.documentation ?? 0,
    actionable_screens: actionable,
    non_actionable_screens: passages.length - actionable,
    by_content_type,
  };
}

/** Returns the most frequent content type of a document's passages; `unknown` without passages. */
export function mainContentType({ by_content_type }: DocumentStatistics): ContentType {
  const [most] = Object.entries(by_content_type).sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  return most && isContentType(most[0]) ? most[0] : "unknown";
}

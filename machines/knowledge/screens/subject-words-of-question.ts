/**
 * Removes words such as "How do I", "list of" and "the form to" from a question or a target (words for a screen), so
 * that only the words of its subject remain.
 */
import { plural } from "../addresses/screen-address-template.ts";

const OPENINGS =
  /^(?:(?:please|can|could|would) (?:you )?(?:tell|show|explain)(?: to)?(?: me)? )?(?:how (?:do|can|would|should|could|does|to)(?: (?:i|we|you|one|a user))?|where (?:is|are|do|can)(?: (?:i|we|you|one|a user))?(?: (?:find|see|view|look at|look up|get to|go to see|enter|type in|fill in))?|what (?:is|are|does|do)|which|i (?:want|need|would like) to|help me(?: to)?)\s+/i;

export function meantBy(question: string): string {
  const plain = question.trim().replace(/[?!.]+$/, "");
  const without = plain
    .replace(OPENINGS, "")
    .replace(/^(?:the|a|an)\s+/i, "")
    .trim();
  return without === "" ? plain : without;
}

/** Matches the words at the start that ask for a list, before its subject: "list of", "all the", "overview of my". */
const LIST_OF =
  /^(?:(?:(?:full|complete|whole) )?(?:list|overview|table|index) of(?: all)?|all(?: of)?)(?: (?:the|my|our))?\s+/i;
/**
 * Matches the words at the start that ask for the place of an action: "form to", "page where I can", "screen on which
 * you".
 */
const PLACE_OF =
  /^(?:form|page|screen|dialog|view|place|section)s? (?:to|(?:where|on which|in which)(?: (?:i|you|we|one)(?: can)?)?)\s+/i;
/** Matches a subject with a word for its list behind it: "voucher list", "quota overview". */
const BEFORE_LIST = /^(.*\p{L}.*?)\s+(?:list|overview|table)$/iu;
/** Matches examples after a subject: ", such as toggles and counters", "(e.g. counters)". */
const EXAMPLES = /^(.*\p{L}.*?)[\s,;(]+(?:such as|e\.\s?g\.|for example|for instance)\s.+$/iu;
/** Matches two words for one subject: "rooms / areas", "users or accounts". */
const TWO_WORDS = /^([\p{L}\p{N}-]+)(?:\s*\/\s*|\s+or\s+)([\p{L}\p{N}-]+)$/iu;

/**
 * Returns the subject of a target (words for a screen), as the name of a screen states it: "areas" for "the list of
 * areas", "add a tenant" for "the form to add a tenant", "helpers" for "helpers such as toggles and counters".
 */
export function subjectOf(target: string): string {
  const stated = meantBy(meantBy(target).replace(LIST_OF, "").replace(PLACE_OF, ""));
  return EXAMPLES.exec(stated)?.[1]?.trim() ?? stated;
}

/** Whether a query asks for a list, as "the list of articles" and "all articles" do. */
export function asksForList(query: string): boolean {
  return LIST_OF.test(query.trim().replace(/^the\s+/i, ""));
}

/**
 * Returns the subjects that a target (words for a screen) may mean, besides the target itself. This is the result of
 * `subjectOf`, and for a subject such as "voucher list" also the plural "vouchers". If the target has two words for
 * one subject, it is each of them: "rooms" and "areas" for "list of rooms / areas".
 */
export function otherSubjects(target: string): readonly string[] {
  const subject = subjectOf(target);
  const [, one, other] = TWO_WORDS.exec(subject) ?? [];
  const [, listed] = BEFORE_LIST.exec(subject) ?? [];
  const found =
    one !== undefined && other !== undefined ? [one, other] : [subject, ...(listed ? [plural(listed)] : [])];
  return found.filter((text) => text !== target.trim());
}

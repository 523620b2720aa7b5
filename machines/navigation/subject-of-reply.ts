/**
 * Parses the subjects of messages in forums and mailing lists. A reply has the subject of its thread after a
 * prefix such as "Re:".
 */

/** Matches the prefixes that mail programs put before the subject of a reply, in several languages. */
const REPLY_PREFIX = /^(?:\s*(?:re|aw|sv|vs|antw|odp|rif|fwd?|wg|tr|rv)(?:\[\d+\])?\s*[:：]\s*)+/i;
/** Matches the name of a mailing list before a subject, such as `[users] `. */
const LIST_NAME = /^\s*\[[^\]]{2,30}\]\s*/;

/** Whether a title is the subject of a reply. */
export function isReply(title: string): boolean {
  return REPLY_PREFIX.test(title.replace(LIST_NAME, ""));
}

/** Returns a subject without the prefixes of replies, such as "Re:". Its spelling stays the same. */
export function withoutReply(title: string): string {
  return title.replace(REPLY_PREFIX, "");
}

/** Returns the subject that all messages of a thread have, in lower case and without prefixes. */
export function subjectOf(title: string): string {
  const plain = title.replace(LIST_NAME, "").replace(REPLY_PREFIX, "").replace(LIST_NAME, "");
  return plain.replace(/\s+/g, " ").trim().toLowerCase();
}

/** Reads the subjects of messages: a reply has the subject of its thread after a prefix such as "Re:". */

/** Matches the prefixes that mail programs add before the subject of a reply, in several languages. */
const REPLY_PREFIX = /^(?:\s*(?:re|aw|sv|vs|antw|odp|rif|fwd?|wg|tr|rv)(?:\[\d+\])?\s*[:：]\s*)+/i;
/** Matches the name of a mailing list before a subject, such as `[users] `. */
const LIST_NAME = /^\s*\[[^\]]{2,30}\]\s*/;

/** Whether a title is that of a reply to a message. */
export function isReply(title: string): boolean {
  return REPLY_PREFIX.test(title.replace(LIST_NAME, ""));
}

/** The subject that all messages of a thread share, in lower case. */
export function subjectOf(title: string): string {
  const plain = title.replace(LIST_NAME, "").replace(REPLY_PREFIX, "").replace(LIST_NAME, "");
  return plain.replace(/\s+/g, " ").trim().toLowerCase();
}

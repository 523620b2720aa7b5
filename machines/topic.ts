/**
 * Topics of the bus: tokens joined by dots. Ids may hold dots and wildcards, so they travel escaped.
 */

/** An id as one token of a topic: percent-encoded, dots, stars and arrows included. */
export function topicToken(id: string): string {
  return encodeURIComponent(id).replaceAll(".", "%2E").replaceAll("*", "%2A");
}

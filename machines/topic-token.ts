/**
 * An id as one token of a bus topic: percent-encoded, including dots, stars and arrows, since topics are
 * tokens joined by dots.
 */
export function topicToken(id: string): string {
  return encodeURIComponent(id).replaceAll(".", "%2E").replaceAll("*", "%2A");
}

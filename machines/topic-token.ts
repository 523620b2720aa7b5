/**
 * Encodes an id as one token of a message topic. Tokens are joined by dots, so dots, stars and arrows are
 * percent-encoded.
 */
export function topicToken(id: string): string {
  return encodeURIComponent(id).replaceAll(".", "%2E").replaceAll("*", "%2A");
}

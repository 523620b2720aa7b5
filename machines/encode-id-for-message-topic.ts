/**
 * Encodes an id as one token of a message topic. Topics consist of tokens joined by dots, so dots and
 * wildcards (`*`, `>`) in the id are percent-encoded.
 */
export function topicToken(id: string): string {
  return encodeURIComponent(id).replaceAll(".", "%2E").replaceAll("*", "%2A");
}

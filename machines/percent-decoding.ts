/** Decodes the percent-encoding of a text. A text with an invalid percent-escape is returned unchanged. */
export function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

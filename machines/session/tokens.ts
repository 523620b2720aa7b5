/**
 * How many tokens a text is, at the most: an upper estimate, since every model cuts texts its own way.
 *
 * Byte-pair tokenizers keep common words whole and cut rare ones about every third to fourth letter; a sign of
 * punctuation is a token at the most, and a letter beyond ASCII no more than its bytes in UTF-8. Runs of letters are
 * counted by three, digits by two, so that real tokenizers stay below.
 */

/** An upper estimate; 0 for an empty text. */
export function tokensOf(text: string): number {
  let tokens = 0;
  let letters = 0;
  let digits = 0;
  const flush = (): void => {
    tokens += Math.ceil(letters / 3) + Math.ceil(digits / 2);
    letters = 0;
    digits = 0;
  };
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if ((code >= 97 && code <= 122) || (code >= 65 && code <= 90)) {
      if (digits > 0) flush();
      letters++;
    } else if (code >= 48 && code <= 57) {
      if (letters > 0) flush();
      digits++;
    } else {
      flush();
      // A blank belongs to the word after it.
      if (code >= 128) tokens += code >= 2_048 ? 2 : 1;
      else if (code !== 32) tokens++;
    }
  }
  flush();
  return tokens;
}

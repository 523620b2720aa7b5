/**
 * Estimates the number of tokens of a text, and never too low. Byte-pair tokenizers keep common words whole
 * and split rare ones every three to four letters. The estimate counts a token for three letters, for two
 * digits, for each punctuation mark, and for each UTF-8 byte of other characters.
 */

/** Estimates the number of tokens of a text. The estimate is usually too high; an empty text has 0. */
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
      // A space is no token, because tokenizers join it to the next word.
      if (code >= 128) tokens += code >= 2_048 ? 2 : 1;
      else if (code !== 32) tokens++;
    }
  }
  flush();
  return tokens;
}

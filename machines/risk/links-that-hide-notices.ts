/**
 * Recognises links that hide a part of the page for the account, such as "Dismiss" in the welcome panel of WordPress
 * (`?welcome=0`) and "Hide this message" of Joomla. Their addresses need not have a verb, so the text decides.
 */

/** Maximum number of words in the text of such a link. A longer text is a sentence, such as the title of an article. */
const MOST_WORDS = 6;
const HIDES =
  /^(?:dismiss(?:\s|$)|(?:hide|close)\s+(?:this|the)\s+(?:notice|message|panel|notification|banner|tip)s?$|(?:don['’]t|do not|never)\s+show\s|no,?\s+thanks|(?:hinweis|meldung|nachricht)\s+(?:ausblenden|verwerfen)$|nicht\s+mehr\s+anzeigen|ne\s+plus\s+afficher|no\s+volver\s+a\s+mostrar|non\s+mostrare\s+più)/iu;

/** Whether a link with this text hides a part of the page for the account. */
export function hidesNotice(text: string): boolean {
  const plain = text.replace(/\s+/gu, " ").trim();
  return plain.split(" ").length <= MOST_WORDS && HIDES.test(plain);
}

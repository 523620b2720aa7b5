/** Words of a clause that state a value and belong neither to the value nor to its field: "set", "the", "should be". */

import type { Token } from "../task/split-task-into-tokens.ts";
import { contentWords, FILLERS } from "../words/normalised-words.ts";
import { EDITING, RENAMING, TYPING, VERBS } from "../words/task-word-lists.ts";

const listed = (words: string): ReadonlySet<string> => new Set(words.split(" "));

/** Verbs that give a value to a field. */
export const SETTING: ReadonlySet<string> = listed(
  "set make enter type fill write put insert input use take give provide choose select pick want like have need keep " +
    "setze mach mache trage trag gib schreibe schreib nimm nutze verwende wahle " +
    "mets saisis ecris remplis utilise prends choisis indique pon escribe rellena introduce usa elige",
);
/** Further verbs that state or give a value, in addition to those of `SETTING`. */
const STATING = listed(
  "change update edit modify adjust correct switch read say reads says get gets go goes come comes belong belongs call called named " +
    "ein eintragen lautet heisst hat gehort s'appelle appelle a tiene llamo llama va",
);
/**
 * Words that start a condition ("if") or a question ("who"), or that refer to another thing ("another",
 * "button"). Such a word never only connects a value with its field.
 */
const OTHER =
  /^(?:if|when|then|once|unless|because|so|who|what|which|why|how|any|some|another|new|all|every|wenn|falls|si|quand|cuando|se|quando|button|link|page|tab|list|option)$/u;
export const NEGATION =
  /^(?:not|no|never|without|don|don['’]?t|do(?:es)?n['’]?t|isn['’]?t|aren['’]?t|won['’]?t|kein\p{L}*|nicht|nie|ohne|pas|jamais|sans|sin|nunca|non|senza)$/u;
/** Matches a question that asks to do something. */
export const POLITE_QUESTION =
  /^(?:please\s+)?(?:can|could|would|will|may|kannst|könntest|können|könnten|peux|pouvez|pourriez|puedes|podrías)\b/iu;

const FRAME: ReadonlySet<string> = new Set([
  ...FILLERS,
  ...SETTING,
  ...STATING,
  ...listed(
    "would could should must shall can will may be been being as into under where instead following information data value entry " +
      "says d ll 'd i'd i'll it's please kindly also still let lets wird soll muss statt als unter comme sous como bajo come sotto " +
      "everything details form new-line entry text box",
  ),
]);
const STEMS: ReadonlySet<string> = new Set(
  [...VERBS.SET, ...TYPING, ...EDITING].filter((word) => !RENAMING.has(word)),
);

/** Whether a word of a task clause belongs neither to a value nor to a field's name, but connects them. */
export const isFrame = ({ kind, plain, text }: Token): boolean =>
  kind === "separator"
    ? /^[:=]$/u.test(text)
    : kind === "word" &&
      !OTHER.test(plain) &&
      (FRAME.has(plain) || STEMS.has(contentWords(plain)[0] ?? "") || PRONOUN_VERB.test(plain));
/** Matches a pronoun with a shortened verb: "I'd", "it's". */
const PRONOUN_VERB = /^(?:i|we|you|it|they|he|she)['’]\p{L}+$/u;

/** Words between a label and its value: "is" in "the city is Berlin". */
const MARK =
  /^(?:is|are|be|to|as|of|=|:|should|must|shall|will|has|now|with|into|reads?|says?|called|named|ist|sind|soll|lautet|auf|zu|als|est|sont|comme|es|son|como|e|sono|come|sein)$/u;
export const isMark = ({ kind, plain, text }: Token): boolean =>
  kind === "separator"
    ? /^[:=]$/u.test(text)
    : kind === "word" && text === text.toLowerCase() && MARK.test(plain);

/** Words between a value and the label after it: "as" in "Berlin as the city". */
const LINK =
  /^(?:as|is|are|into|in|to|for|under|on|where|goes|belongs|at|als|ist|in|fur|unter|comme|est|dans|pour|sous|como|es|en|para|come|e|per|sotto|nel|nella)$/u;
export const isLink = ({ plain }: Token): boolean => LINK.test(plain);
/** Words between a value and a label that always connect the two. */
export const STRONG_LINK = /^(?:as|is|into|goes|belongs|where|under|als|ist|comme|est|como|es|come|e)$/u;
/** Verbs after which a word in lower case is a value, even without "to". */
export const ENTERS = /^(?:set|make|enter|fill|put|setze|mach|mache|mets|pon)$/u;

/**
 * Joins the two parts of a German separable verb, so that it can be compared with the names of controls: "Lade
 * ein Dokument hoch" contains the verb "hochladen".
 */
import { plainText } from "./normalised-words.ts";
import { inEnglish } from "./translated-words.ts";

/** Matches a German order whose last word is the prefix of its verb. It captures verb, object and prefix. */
const SEPARATED =
  /^(?:bitte\s+)?(\p{L}+)\s+(?:bitte\s+)?(\S.*?)\s+(ab|an|auf|aus|bei|ein|fest|fort|frei|herunter|hinzu|hoch|los|mit|nach|runter|um|vor|weg|weiter|wieder|zu|zurück|zusammen)(?:\s+bitte)?[.!\s]*$/iu;
/** The infinitives of imperatives with another vowel: "Brich den Antrag ab" contains "abbrechen". */
const INFINITIVES: Readonly<Record<string, string>> = {
  brich: "brechen",
  gib: "geben",
  lies: "lesen",
  nimm: "nehmen",
  sieh: "sehen",
  wirf: "werfen",
};

const infinitiveOf = (imperative: string): string =>
  INFINITIVES[imperative] ?? `${imperative.replace(/e$/u, "")}en`;

/**
 * Returns the task with the infinitive of its separable verb at the start: "hochladen ein Dokument" for "Lade
 * ein Dokument hoch". If only the verb without the prefix has a translation, the prefix is left out: "drucken
 * die Liste" for "Druck die Liste aus". Returns `undefined` for a task without such a verb.
 */
export function withJoinedVerb(task: string): string | undefined {
  const [, verb, object, prefix] = SEPARATED.exec(task) ?? [];
  if (verb === undefined || object === undefined || prefix === undefined) return undefined;
  const infinitive = infinitiveOf(verb.toLowerCase());
  const joined = `${prefix.toLowerCase()}${infinitive}`;
  const isBase = !isTranslated(joined) && isTranslated(infinitive);
  return `${isBase ? infinitive : joined} ${object}`;
}

/** Whether the last word of a German order is the prefix of its verb, such as "an" in "Lege ein Tag namens shops an". */
export function endsWithPrefix(task: string): boolean {
  const joined = withJoinedVerb(task);
  return joined !== undefined && isTranslated(joined.split(" ")[0] ?? "");
}

/** Matches a task that starts with the infinitive of a German verb for making a new thing: "anlegen eine Gruppe". */
const MAKES = /^(?:anlegen\s+|einrichten\s+(?=ein))/u;

/**
 * Returns a German task that makes a new thing without a separable verb: "Erstelle eine Gruppe namens Nord" for "Lege eine
 * Gruppe namens Nord an". Its last word is then no part of the name. Returns `undefined` for any other task.
 */
export function withPlainCreation(task: string): string | undefined {
  const joined = withJoinedVerb(task);
  if (joined === undefined || !MAKES.test(joined)) return undefined;
  return joined.replace(MAKES, "Erstelle ").replace(/\smit dem Namen\s/u, " namens ");
}

function isTranslated(word: string): boolean {
  const plain = plainText(word);
  return inEnglish(plain) !== plain;
}

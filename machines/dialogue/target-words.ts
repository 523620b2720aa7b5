/** Words of a task and of elements, made comparable: without case, accents, endings and fillers. */

/** Words that name no element. */
const FILLERS: ReadonlySet<string> = new Set(
  (
    "the a an my our your this its of to in on at for with and or please now just here new-line " +
    "button buttons link links field fields box input page pages tab menu item entry option icon " +
    "dropdown list checkbox switch toggle panel section screen card form area textbox"
  ).split(" "),
);

/**
 * Words that interfaces use for the same thing. Each line is one meaning; a word may have several. They are the words
 * of the dashboards and forums that Cairn was measured on.
 */
const MEANINGS: readonly (readonly string[])[] = [
  "delete remove trash bin erase discard",
  "edit change modify update pencil pen",
  "add create new plus insert",
  "settings preferences options configuration config gear cog",
  "signin login logon",
  "signout logout logoff",
  "register signup join",
  "search find lookup magnifier query",
  "save store keep apply",
  "submit send confirm",
  "cancel abort dismiss close",
  "profile account user me",
  "users members people team",
  "email mail e-mail",
  "phone telephone mobile tel cell",
  "zip postcode postal",
  "notifications notification alerts alert bell",
  "message messages inbox mail envelope chat",
  "home start dashboard overview",
  "picture photo image avatar",
  "download export",
  "upload import attach",
  "help support documentation docs",
  "next continue forward",
  "previous back",
  "more options dots ellipsis kebab menu",
  "menu sidebar navigation hamburger bars",
  "copy duplicate clone",
  "filter narrow refine",
  "cart basket bag",
  "order purchase buy",
  "bill invoice",
  "password passcode",
  "firstname forename given",
  "lastname surname family",
  "name title",
  "company organization organisation firm employer",
  "state province region",
  "about bio biography description",
  "reset clear restore",
  "view show see open display details",
  "refresh reload sync",
  "language locale",
  "theme mode appearance",
  "calendar date schedule",
  "invite add",
  "role permission access",
].map((line) => line.split(" "));

const MEANING_OF = new Map<string, Set<number>>();
for (const [at, words] of MEANINGS.entries())
  for (const word of words) {
    const one = stem(word);
    MEANING_OF.set(one, (MEANING_OF.get(one) ?? new Set()).add(at));
  }

/** Pairs of words that are written as one as well. */
const JOINED: readonly (readonly [RegExp, string])[] = [
  [/\b(?:sign|log)[\s-]+in\b/gu, "signin"],
  [/\b(?:sign|log)[\s-]+(?:out|off)\b/gu, "signout"],
  [/\bsign[\s-]+up\b/gu, "signup"],
  [/\be-mail\b/gu, "email"],
  [/\b(?:first|given)[\s-]+name\b/gu, "firstname"],
  [/\b(?:last|family)[\s-]+name\b/gu, "lastname"],
  [/\b(?:zip|postal|post)[\s-]+code\b/gu, "zip"],
  [/\buser[\s-]+name\b/gu, "username"],
  [/\bphone[\s-]+number\b/gu, "phone"],
  [/\bmail[\s-]+address\b/gu, "mail"],
  [/\bemail[\s-]+address\b/gu, "email"],
];

export function plainText(text: string): string {
  let plain = text
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase()
    // Names of icons and attributes: firstName, user_name.
    .replace(/[_\s]+/gu, " ")
    .trim();
  for (const [pattern, joined] of JOINED) plain = plain.replace(pattern, joined);
  return plain;
}

/** Without the endings of plurals and of verbs. Equal for two forms of a word, no more. */
export function stem(word: string): string {
  if (word.length < 4) return word;
  return word
    .replace(/ies$/u, "y")
    .replace(/(?<=s|x|z|ch|sh)es$/u, "")
    .replace(/(?<![su])s$/u, "")
    .replace(/(?<=\w{3})(?:ing|ed)$/u, "");
}

/** The words of a text, stemmed, without fillers; with them when there is nothing else. */
export function contentWords(text: string): readonly string[] {
  const all = plainText(text).match(/[\p{L}\p{N}@+%&]+/gu) ?? [];
  const content = all.filter((word) => !FILLERS.has(word));
  return (content.length > 0 ? content : all).map(stem);
}

export function areSynonyms(one: string, other: string): boolean {
  const [a, b] = [MEANING_OF.get(one), MEANING_OF.get(other)];
  return a !== undefined && b !== undefined && [...a].some((meaning) => b.has(meaning));
}

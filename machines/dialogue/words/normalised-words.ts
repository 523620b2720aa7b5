/**
 * Normalises the words of tasks and of elements for comparison: removes case, accents, endings and filler
 * words.
 */

import { inEnglish } from "./translated-words.ts";

/** Words that never identify an element, such as "the" or "button". They are ignored. */
export const FILLERS: ReadonlySet<string> = new Set(
  (
    "the a an my our your this its of to in on at for with and or please now just here new-line " +
    "button buttons link links field fields box input page pages tab menu item entry option icon " +
    "dropdown toolbar list checkbox switch toggle panel section screen card form area textbox " +
    "diese dieser dieses diesen dieser ce cette cet este esta another der die das den dem des ein eine einen einem mein meine dein deine seite bitte von fur mit auf zu " +
    "sie es lo vom im zum zur au aux al mich mir meinen meiner mes mis me " +
    "from about into it that which who whose ends ending named called is are was were has have i me you we them him her his their there " +
    "namens genannt nomme nommee appele appelee intitule intitulee llamado llamada titulado titulada chiamato chiamata intitolato intitolata " +
    "le la les l un une mon ma mes ton ta tes de du sur pour el los las una mi mis tu del para por " +
    "ich mochte gern gerne ist sind soll sollen uns unser unsere unseren ihr ihre ihren ihm ihn sein seine seinen bei aus nach uber dass " +
    "je j d qu il elle nous vous ils elles moi toi lui est sont suis veux voudrais plait notre nos votre vos son sa ses leur leurs avec dans ce que qui " +
    "gli uno dello della dei degli delle allo alla agli dal dalla dallo dalle nel nella nello nei nelle sul sulla sui sulle " +
    "di da mio miei mie nostra suo sua suoi questo questa questi queste quello quella che vorrei voglio puoi potresti favore " +
    "yo ella nosotros donde hay gibt es son quiero prefiero esto eso quisiera favor nuestro nuestra su sus con en que"
  ).split(" "),
);

/**
 * Synonyms in user interfaces. The words of a list have the same meaning, and a word may be in several lists.
 * They come from the dashboards and forums on which Cairn was measured.
 */
const MEANINGS: readonly (readonly string[])[] = [
  "delete remove trash bin erase discard wipe",
  "edit change modify update pencil pen",
  "add create new plus insert",
  "settings preferences options configuration config gear cog",
  "signin login logon",
  "signout logout logoff",
  "register signup join",
  "search find lookup magnifier query",
  "save store keep apply",
  "submit send confirm",
  "pay payment",
  "publish post",
  "cancel abort dismiss close x cross xmark",
  "remove close cross",
  "delete destroy terminate",
  "rewind back",
  "jump skip rewind",
  "sms text",
  "payee beneficiary recipient",
  "reschedule move postpone",
  "heard played watched",
  "cash withdrawal atm",
  "profile account user",
  "users members people team",
  "email mail e-mail",
  "phone telephone mobile tel cell",
  "zip postcode postal",
  "notifications notification alerts alert bell",
  "message messages inbox mail envelope chat",
  "home dashboard overview",
  "home house",
  "picture photo image avatar",
  "download export",
  "upload import attach",
  "help support documentation docs",
  "next continue forward",
  "previous back",
  "previous past earlier former",
  "renew extend prolong",
  "more options dots ellipsis kebab menu",
  "compose write pencil new",
  "menu sidebar navigation hamburger bars",
  "copy duplicate clone",
  "filter narrow refine",
  "cart basket bag",
  "order purchase buy checkout",
  "buy subscribe choose select",
  "bill invoice",
  "password passcode",
  "firstname forename given",
  "lastname surname family",
  "name title call rename",
  "company organization organisation firm employer",
  "state province region",
  "about bio biography description",
  "reset clear restore",
  "view show see open display details",
  "refresh reload sync",
  "language locale",
  "theme mode appearance",
  "calendar date schedule",
  "invite add connect",
  "to recipient receiver",
  "role permission access",
  "quantity qty amount count number",
  "like love heart favorite favourite",
  "star starred favorite favourite bookmark",
  "born birth birthday birthdate",
  "city town",
  "surname lastname",
  "collapse minus minimize fold hide",
  "expand unfold plus maximize",
  "next older forward chevron right",
  "previous prev newer back chevron left",
  "reply respond answer comment",
  "post entry article",
  "book reserve booking reservation",
  "discard forget drop undo",
  "all everything everyone everybody",
  "guests people persons adults visitors",
  "price cost fee dollars euros",
  "quantity pieces units",
  "event appointment meeting",
  "discussion thread topic conversation",
  "voucher coupon promo",
  "redeem apply use",
  "nickname alias name",
  "fire remove dismiss",
  "application request",
  "phone mobile smartphone",
  "terminate cancel",
  "void cancel annul",
  "leave exit close",
  "fullscreen maximize",
  "send dispatch",
  "courier delivery parcel shipping shipment",
  "arrive arrival checkin",
  "depart departure leave checkout",
  "pet dog cat animal",
  "bike bicycle cycle",
  "rent rental hire lease",
  "spam junk",
  "file attachment document screenshot scan upload attach",
  "restart reboot",
  "preview look",
  "participant member attendee student",
  "popular played trending bestseller",
  "follow subscribe",
  "fast quick speed rapid express instant",
  "instant immediate immediately",
  "forward ahead skip",
  "schedule plan arrange",
  "attempt try",
  "reject decline refuse deny",
  "approve accept confirm allow grant agree",
  "block ban lock forbid",
  "assign assignee responsible delegate",
  "priority urgent urgency importance",
  "note remark comment memo annotation wish request",
  "text content body message",
  "headline title heading subject topic",
  "announcement news notice",
  "wifi wlan wireless network",
  "expire expiry end valid",
  "automatic automatically auto",
  "skip omit jump",
  "silence quiet silent mute",
  "pause stop halt hold",
  "play start listen watch",
  "room suite",
  "beneficiary recipient payee receiver",
  "reference purpose",
  "limit maximum max cap",
  "minimum min least",
  "everyone everybody anyone public",
  "street road",
  "size format dimension",
  "copies copy",
  "log history protocol journal activity",
  "log record add",
  "availability available free vacancy",
  "grade mark score result",
  "lesson chapter",
  "link url address",
  "job position vacancy",
  "candidate applicant",
  "salary wage income",
  "relocate move",
  "manual guide instruction",
  "bug issue ticket problem",
  "undo revert",
  "zoom magnify enlarge",
  "increase raise plus more up bigger larger",
  "decrease reduce lower less minus down smaller",
  "bold fat strong",
  "hide conceal invisible",
  "show reveal visible",
  "night dark",
  "important flag priority",
  "wishlist wish favourite favorite",
  "pickup collect",
  "receipt bill invoice",
  "private privacy",
  "security secure safety",
  "faq question help",
  "info information detail about",
  "review rating opinion",
  "term condition agreement policy",
  "connect link pair",
  "sync synchronise synchronize refresh update",
  "export csv excel spreadsheet",
  "chart graph diagram",
  "sound audio volume loud loudness",
  "video film clip movie",
  "song track music",
  "luggage baggage suitcase",
  "passenger traveller traveler",
  "doctor physician",
  "teacher instructor lecturer",
  "homework assignment exercise",
  "test quiz exam",
  "employer company work",
  "employee staff worker",
  "boss manager supervisor",
  "holiday vacation leave absence",
  "loan credit",
  "recurring repeat regular",
  "temperature heat warm degree",
  "light lamp",
  "device machine",
  "software program app",
  "select choose pick",
  "right correct",
  "afterwards later after end",
  "duration length",
  "finish complete done",
  "share invite",
  "unit apartment flat",
  "copy cc",
  "newest latest recent",
  "cheap low affordable",
  "colleague teammate",
  "child kid",
  "seat chair",
  "table desk",
  "quote cite",
  "merge combine join",
  "assign give",
  "transparent opacity",
  "kind type sort category",
  "sign signature",
  "expense cost spending",
  "reminder remind notify notification",
  "tomorrow next",
  "group team",
  "unsubscribe optout",
  "turn rotate",
  "shrink narrow collapse",
  "wide full",
].map((line) => line.split(" "));

/**
 * Nouns for the action of a verb, such as "payment" for "pay". A control may be named by the noun or by the
 * verb.
 */
const ACTION_NOUNS: Readonly<Record<string, string>> = {
  payment: "pay",
  deletion: "delete",
  removal: "remove",
  registration: "register",
  confirmation: "confirm",
  cancellation: "cancel",
  subscription: "subscribe",
  connection: "connect",
  invitation: "invite",
  publication: "publish",
};

/** Whether one word is the noun for the action of the other: "payment" for "pay". */
export function isActionNoun(one: string, other: string): boolean {
  return ACTION_NOUNS[one] === other || ACTION_NOUNS[other] === one;
}

const MEANING_OF = new Map<string, Set<number>>();
for (const [at, words] of MEANINGS.entries())
  for (const word of words) {
    const one = stem(word);
    MEANING_OF.set(one, (MEANING_OF.get(one) ?? new Set()).add(at));
  }

/** Pairs of words that may also be written as one word, such as "sign up" and "signup". */
const JOINED: readonly (readonly [RegExp, string])[] = [
  [/\b(?:sign|log)[\s-]+in\b/gu, "signin"],
  [/\b(?:sign|log)[\s-]+(?:out|off)\b/gu, "signout"],
  [/\bsign[\s-]+up\b/gu, "signup"],
  [/\b(?:cerrar|cierra)[\s-]+(?:la[\s-]+)?sesion\b/gu, "signout"],
  [/\b(?:fermer|ferme|fermez)[\s-]+(?:la[\s-]+)?session\b/gu, "signout"],
  // Italian prepositions that are written as one word with the article and the next noun: "all'indirizzo".
  [/\b(?:a|de|ne|da|su)ll['’](?=\p{L})/gu, "la "],
  // The Spanish "cerca de" means "near", but the Italian "cerca" means "search". So the Spanish phrase is
  // replaced.
  [/\bcerca[\s-]+del?\b/gu, "near"],
  [/\b(?:iniciar|inicia)[\s-]+(?:la[\s-]+)?sesion\b/gu, "signin"],
  [/\b(?:ouvrir|ouvre|ouvrez)[\s-]+(?:une|la)[\s-]+session\b/gu, "signin"],
  [/\be-mail\b/gu, "email"],
  [/\bwi-fi\b/gu, "wifi"],
  [/\bcheck-in\b/gu, "checkin"],
  [/^check in(?! (?:the|this|my|a)\b)/gu, "checkin"],
  [/\bcheck-out\b/gu, "checkout"],
  [/\b(?:first|given)[\s-]+name\b/gu, "firstname"],
  [/\b(?:last|family)[\s-]+name\b/gu, "lastname"],
  [/\b(?:zip|postal|post)[\s-]+code\b/gu, "zip"],
  [/\buser[\s-]+name\b/gu, "username"],
  [/\bphone[\s-]+number\b/gu, "phone"],
  [/\bmail[\s-]+address\b/gu, "mail"],
  [/\bemail[\s-]+address\b/gu, "email"],
  [/\b(?:e-?mail[\s-]+adresse|adresse[\s-]+(?:e-?mail|electronique)|correo[\s-]+electronico)\b/gu, "email"],
  [/\bmot[\s-]+de[\s-]+passe\b/gu, "password"],
  [/\bnom[\s-]+de[\s-]+famille\b/gu, "lastname"],
  [/\b(?:nom[\s-]+d.utilisateur|nombre[\s-]+de[\s-]+usuario|nome[\s-]+utente)\b/gu, "username"],
  [/\bcod(?:e|igo|ice)[\s-]+postale?\b/gu, "zip"],
  [/\bnumero[\s-]+d[ei][\s-]+(?:tele(?:phone|fono)|cellulare)\b/gu, "phone"],
  [
    /\b(?:date[\s-]+de[\s-]+naissance|fecha[\s-]+de[\s-]+nacimiento|data[\s-]+di[\s-]+nascita)\b/gu,
    "birthdate",
  ],
  [/\b(?:site|sitio|sito)[\s-]+web\b/gu, "website"],
  [/\b(?:viens|venir|venez|vais|aller|allez|passe|passer|passez)\s+chercher\b/gu, "collect"],
];

/**
 * Maximum number of texts whose normalised words are cached, and their maximum length in characters. A plan
 * compares the names of all elements of a page several times, and the plans of one site contain the same names.
 */
const REMEMBERED = { texts: 5_000, length: 200 } as const;

/**
 * Returns a function with a cache: it computes the result for each text only once. A full cache is cleared.
 */
function remembered<Result>(compute: (text: string) => Result): (text: string) => Result {
  const results = new Map<string, Result>();
  return (text) => {
    const known = results.get(text);
    if (known !== undefined) return known;
    const result = compute(text);
    if (results.size >= REMEMBERED.texts) results.clear();
    if (text.length <= REMEMBERED.length) results.set(text, result);
    return result;
  };
}

export const plainText = remembered((text: string): string =>
  withJoinedTerms(
    text
      .normalize("NFKD")
      .replace(/\p{M}+/gu, "")
      .toLowerCase()
      .replaceAll("ß", "ss")
      // Splits names of icons and attributes into words, such as firstName and user_name.
      .replace(/[_\s]+/gu, " ")
      .trim(),
  ),
);

function withJoinedTerms(text: string): string {
  let joined = text;
  for (const [pattern, term] of JOINED) joined = joined.replace(pattern, term);
  return joined;
}

/** Returns the words of a text in lower case, without accents and numbers. */
export const plainWords = (text: string): readonly string[] => plainText(text).match(/\p{L}+/gu) ?? [];

/** Removes plural and verb endings. The result is used only for comparison, and may not be a real word. */
export function stem(word: string): string {
  if (word.length < 4) return word;
  return word
    .replace(/ies$/u, "y")
    .replace(/(?<=s|x|z|ch|sh)es$/u, "")
    .replace(/(?<![su])s$/u, "")
    .replace(/(?<=\w{3})(?:ing|ed)$/u, "");
}

/**
 * Returns the stemmed words of a text without filler words. If the text has only filler words, the result
 * contains these words.
 */
export const contentWords = remembered((text: string): readonly string[] => {
  const written = plainText(text).match(/[\p{L}\p{N}@+%&]+/gu) ?? [];
  const translated = written.map(inEnglish);
  // After the translation, two words may be a term that is written as one word: "utilisateur name" becomes "user
  // name", and then "username".
  const isSame = translated.every((word, at) => word === written[at]);
  const all = isSame ? translated : withJoinedTerms(translated.join(" ")).split(" ");
  const content = all.filter((word) => !FILLERS.has(word));
  // A single letter in a name, such as "v" in the icon name "ellipsis v", has no meaning and is removed.
  const words = content.filter((word) => content.length === 1 || !/^[a-z]$/u.test(word));
  // Leading zeros are removed, because dates may have them: "01 Oct" and "1 October".
  return (words.length > 0 ? words : all).map((word) =>
    stem(NUMBER_WORDS.get(word) ?? word.replace(/^0+(?=\d)/u, "").replace(/(?<=^\d+)(?:st|nd|rd|th)$/u, "")),
  );
});

/** Maps words for numbers to digits. "One" is left out, because it is also a pronoun. */
const NUMBER_WORDS: ReadonlyMap<string, string> = new Map(
  "two three four five six seven eight nine ten eleven twelve"
    .split(" ")
    .map((word, at) => [word, String(at + 2)] as const),
);

export function areSynonyms(one: string, other: string): boolean {
  const [a, b] = [MEANING_OF.get(one), MEANING_OF.get(other)];
  if (a === undefined || b === undefined) return false;
  for (const meaning of a) if (b.has(meaning)) return true;
  return false;
}

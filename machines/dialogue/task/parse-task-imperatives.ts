/** Parses an imperative of a task, such as "set the phone to 555", into a verb, a target and a value. */

import { plainText } from "../words/normalised-words.ts";
import { plainPhrase } from "../words/plain-verbs-for-phrases.ts";
import { createOrder } from "./creation-imperatives.ts";
import type { Order } from "./parsed-imperative.ts";
import { isQuoted, replaceQuotes, splitUnquoted, unquoted } from "./split-task-at-imperatives.ts";

const ORDINALS: Readonly<Record<string, number>> = {
  first: 1,
  second: 2,
  third: 3,
  fourth: 4,
  fifth: 5,
  last: -1,
  "1st": 1,
  "2nd": 2,
  "3rd": 3,
  "4th": 4,
  "5th": 5,
  top: 1,
  topmost: 1,
  newest: 1,
  latest: 1,
  bottom: -1,
  lowest: -1,
  oldest: -1,
  oberste: 1,
  neueste: 1,
  unterste: -1,
  vierte: 4,
  vierten: 4,
  fünfte: 5,
  fünften: 5,
  quatrième: 4,
  cinquième: 5,
  cuarto: 4,
  cuarta: 4,
  quinto: 5,
  quinta: 5,
  erste: 1,
  ersten: 1,
  erstes: 1,
  zweite: 2,
  zweiten: 2,
  zweites: 2,
  dritte: 3,
  dritten: 3,
  drittes: 3,
  letzte: -1,
  letzten: -1,
  letztes: -1,
  premier: 1,
  première: 1,
  deuxième: 2,
  troisième: 3,
  dernier: -1,
  dernière: -1,
  primer: 1,
  primera: 1,
  segundo: 2,
  segunda: 2,
  tercer: 3,
  tercera: 3,
  último: -1,
  última: -1,
  primo: 1,
  secondo: 2,
  seconda: 2,
  terzo: 3,
  terza: 3,
  quarto: 4,
  quarta: 4,
  ultimo: -1,
  ultima: -1,
};
const ORDINAL_WORD = `(?:${Object.keys(ORDINALS).join("|")})(?![\\p{L}\\p{N}])(?!\\s*[-']?\\s*name|\\s+(?:left|right|cent(?:er|re)|of|bar|menu)\\b)`;
const ORDINAL = new RegExp(`(?<![\\p{L}\\p{N}])(?:very\\s+)?(${ORDINAL_WORD})(?!$)`, "iu");
const ARTICLE = "(?:the|der|die|das|den|le|la|el|il)\\s+";
/**
 * Matches an imperative for two positions in a list: "tick the third one and the last one", "delete the first and second
 * document". It captures the verb and, for each position, the article before and the noun after it.
 */
const TWO_POSITIONS = new RegExp(
  `^(\\p{L}+)\\s+(${ARTICLE})?(${ORDINAL_WORD})(?:\\s+(\\p{L}+))?\\s+(?:and|und|et|y|e)\\s+(${ARTICLE})?(${ORDINAL_WORD})(?:\\s+(\\p{L}+))?$`,
  "iu",
);

const KEY = /^(?:press|hit|tap|push)\s+(?:the\s+)?(enter|return|escape|esc|tab|space)(?:\s+key)?$/iu;
const KEYS: Readonly<Record<string, string>> = {
  enter: "Enter",
  return: "Enter",
  escape: "Escape",
  esc: "Escape",
  tab: "Tab",
  space: "Space",
};
const OPEN_URL = /^(?:open|go to|visit|navigate to|load|browse to)\s+<?((?:https?:\/\/|www\.)[^\s>]+)>?$/iu;
const BACK =
  /^(?:(?:(?:go|navigate|step)\s+)?back(?:\s+(?:one|a)\s+(?:step|page))?(?:\s+to the previous page)?|(?:go\s+)?one\s+(?:step|page)\s+back|(?:gehe?\s+)?(?:einen\s+schritt\s+|eine\s+seite\s+)?zur[uü]ck|(?:retourne[rz]?|revien[st])\s+(?:d['’]une?\s+(?:étape|page)\s+)?en\s+arrière|(?:ve\s+|vuelve\s+)?(?:un\s+paso|una\s+página)\s+(?:hacia\s+)?atrás|(?:torna|vai)\s+(?:di\s+una\s+pagina\s+)?indietro)$/iu;
const RELOAD =
  /^(?:(?:refresh|reload)(?:\s+(?:the|this)\s+page)?|(?:aktualisiere|(?:actualise|recharge)[rz]?|actualiza|recarga|aggiorna|ricarica)\s+(?:die|diese|la|cette|esta|questa)\s+(?:seite|page|p[aá]gina)|lade\s+(?:die|diese)\s+seite\s+neu)$/iu;
const SCROLL = /^scroll\s+(down|up)\b/iu;
const SIGN_IN =
  /^(?:sign|log)\s*in(?:\s+to\s+(?:.+?))?(?:\s+(?:as|with|using)\s+(?:(?:user(?:name)?|e-?mail|account)\s+)?(?!(?:(?:the|my|our)\s+)?(?:password|secret)\s)(.+?))(?:\s*(?:,|and|with|using)?\s+(?:the\s+)?(?:password|secret)\s+(?:from\s+(?:the\s+)?secret\s+)?(.+?))?$/iu;
/** Matches a sign-in without a user name. It captures the name of the secret. */
const SIGN_IN_BY_SECRET =
  /^(?:sign|log)\s*in(?:\s+to\s+.+?)?\s+(?:with|using)\s+(?:(?:the|my|our)\s+)?(?:password\s+(?:from\s+)?(?:the\s+)?)?secret\s+([A-Za-z]\w*)$/iu;
const SEARCH = /^(?:(?:search|query|google)(?:\s+(?:up|for|after))?|look\s+(?:up|for))\s+(.+)$/iu;
const SEARCH_IN = /^(?:search|query)\s+(?:the\s+)?(.+?)\s+for\s+(.+)$/iu;
/**
 * Matches a thing that is named with the word "one", as in "the hacker news one". Only the other words are
 * searched for: "hacker news".
 */
const ONE = /^(?:the|that|this)\s+([^"“„«]+?)\s+ones?$/iu;
const withoutOne = (query: string): string => query.replace(ONE, "$1");
const FIND = /^find\s+(?!out\b)(.+)$/iu;
const FILL_LIST =
  /^(?:fill(?:\s+(?:in|out))?|complete|enter)\s+(?:(?:the|this|that)\s+)?(?:.*?\bform\b\s*)?(?:(?:in|out)\s+)?(?:with\s+|using\s+|as follows\s*)?:?\s*(.+[:=].+)$/iu;
const FILL = /^(?:fill(?:\s+(?:in|out))?|populate|complete)\s+(.+?)\s+(?:with|as|to|using)\s+(.+)$/iu;
const SET =
  /^(?:set|change|update|edit|modify|make|switch|turn|adjust|rename)\s+(.+?)\s+(?:to|as|=|into)\s+(.+)$/iu;
const TYPE =
  /^(?:type|enter|write|put|input|insert|add|fill(?:\s+in)?|paste|use|provide|give)\s+(.+?)\s+(?:in(?:to)?|as|for|under|inside|on|to)\s+(?:the\s+|my\s+|your\s+)?(.+)$/iu;
const TYPE_FIELD_FIRST =
  /^(?:type|enter|write|put|input|insert|fill(?:\s+in)?|use|provide)\s+(?:the\s+|my\s+|an?\s+)?(.+?)\s*[:=]?\s+((?:"[^"]+"|“[^”]+”|'[^']+'|„[^“”]+[“”]|«[^»]+»)|\S*[@\d]\S*)$/iu;
const TYPE_ONLY = /^(?:type|enter|write|input)\s+(.+)$/iu;
const NAME =
  /^(?:name|call|title)\s+(?:the|my|this|our)\s+(?!(?:next|last|first|second|third|other|same)\s)(\p{L}+)\s+(.+)$/iu;
/**
 * Names of fields that may follow a comma without a verb and without "to", such as "city" in "…, city
 * Berlin".
 */
const FIELD_NOUNS =
  "name|surname|vat(?:\\s+number)?|(?:first|last|user)\\s?name|e-?mail|phone|city|town|country|zip(?:\\s+code)?|postal\\s+code|street|address|category|subject|title|company|age|role|status|price|quantity|language|username";
/**
 * Matches a value and, after a comma, a further field with its value: "ada@example.com, surname Lovelace".
 */
const THEN_FIELD = new RegExp(`^(.+?)\\s*,\\s*(?:and\\s+)?((?:${FIELD_NOUNS})\\s+\\S.*)$`, "iu");
const FIELD_PAIR = new RegExp(`^(${FIELD_NOUNS})\\s+(?:is\\s+|to\\s+)?(.+)$`, "iu");
/**
 * Matches an opening quotation mark without a closing one. A "to" after it is part of a quoted name, and does
 * not separate a target from a value.
 */
const OPEN_QUOTE = /(?:^|\s)["“„«'`](?!.*["”“»'`](?:\s|$))/u;
const RATE =
  /^(?:give|rate)\s+(?:it|this|that|the\s+\p{L}+)?\s*(?:with\s+)?(\d|one|two|three|four|five)[\s-]+stars?(?:\s+rating)?$/iu;
const NUMBERS: Readonly<Record<string, string>> = { one: "1", two: "2", three: "3", four: "4", five: "5" };
/** Matches a second value after the first: "…and the zip code to 90210" after "set the phone to 555". */
const ALSO_SET = /^(.+?)\s*(?:,|\band\b)\s*(?:and\s+)?((?:the|my|our|your)\s+.+?\s+(?:to|as|=)\s+.+)$/iu;
/** Matches a field and its value: "The city is Bremen". "Everything is done" names no field. */
const IS =
  /^(?!(?:everything|everyone|everybody|all|it|this|that|nothing|something|anything)\s+is\s)(?:(?:my|the|set|our)\s+)?([\p{L}][\p{L}\s-]{1,40}?)\s*(?::(?!\/\/)|=|\bis\b|\b(?:should|must|shall|will|has\s+to|needs\s+to)\s+be\b)\s+(.+)$/iu;
/** Matches several values: "Ada as the first name and Byron as the last name". */
const AS_LIST =
  /^(?:type|enter|write|put|input|insert|use|provide|set)\s+(.+?)\s+as\s+(?:the\s+|my\s+|your\s+)?(.+)$/iu;
const NEXT_AS = /\s*(?:,\s*(?:and\s+)?|\s+and\s+)(?=\S.*?\s+as\s+)/iu;
/** Matches the number of a page in a list that has several pages: "page 3". */
const NUMBERED_PAGE =
  /^(?:(?:go|jump|move|turn)\s+to|show(?:\s+me)?|open|view|see)\s+(?:the\s+)?(?:(second|third|fourth|fifth|2nd|3rd|4th|5th)\s+page|page\s+(\d+))(?:\s+of\s.+)?$/iu;
/** Matches a message with its recipient: "Mail ada@example.com the text 'Hello'". */
const MAIL_TEXT =
  /^(?:(?:e-?)?mail|message|send|write(?:\s+to)?|schreibe?|écris\s+à|escribe\s+a)\s+(?:to\s+)?(\S+@\S+?),?\s+(?:the\s+(?:text|message|words)\s+|(?:a|an)\s+(?:e-?mail|message)\s+|(?:that\s+)?(?:says|saying)\s+)*:?\s*(["“„«'].+)$/iu;
/**
 * Matches a statement with a date, such as "I started in Sep 2016". It is no instruction to enter the date.
 */
const DATED =
  /^(?:i|we|(?:the|my|our)\s+\p{L}+(?:\s+\p{L}+)?)\s+(?:was\s+|were\s+|have\s+)?(\p{L}+)\s+(?:in|on)\s+((?:\d{1,2}(?:st|nd|rd|th)?\s+)?\p{L}+\s+(?:\d{1,2},?\s+)?(?:19|20)\d{2})$/iu;
const SORT = /^(?:sort|order)\s+(?:.+\s)?by\s+(.+)$/iu;
const SELECT = /^(?:select|choose|pick|set)\s+(.+?)\s+(?:in|from|for|as|under|on)\s+(?:the\s+|my\s+)?(.+)$/iu;
const SELECT_ONLY = /^(?:select|choose|pick)\s+(.+)$/iu;
const CHECK =
  /^(?:check|tick|markiere|hake|coche[rz]?|marca|spunta|enable|turn\s+on|switch\s+on|activate|agree\s+(?:to|with)|accept|opt\s+in(?:to)?|mark)\s+(.+)$/iu;
const UNCHECK =
  /^(?:(?:stop|don['’]?t|do\s+not|no\s+longer|never)(?:\s+(?:send(?:ing)?|show(?:ing)?|e?mail(?:ing)?|notify(?:ing)?))?(?:\s+me)?|uncheck|untick|disable|turn\s+off|switch\s+off|opt\s+out(?:\s+of)?|unmark)\s+(.+)$/iu;
const PLACE =
  /^(?:go(?:\s+over)?\s+to|open|visit|navigate\s+to|show(?:\s+me)?|view|see|display|switch\s+to|take\s+me\s+to|bring\s+(?:up|me\s+to)|get\s+me\s+to|jump\s+to|head\s+to|move\s+to|look\s+at|go\s+back\s+to|geh\s+zu|öffne|ouvre|va\s+à|abre|ve\s+a|vai\s+(?:a|al|alla|su|in|nelle|nei|nella|nel)|apri(?:mi)?|mostra(?:mi)?|visualizza|vedi|abra|mostre)\s+(.+)$/iu;
const CLICK =
  /^(?:click(?:\s+on)?|dismiss|press(?:\s+on)?|hit|tap(?:\s+on)?|push|choose|select|follow|expand|collapse|close|toggle|use|get(?:\s+me)?|give\s+me|grab|fetch|read|launch|klicke?(?:\s+auf)?|drücke(?:\s+auf)?|wähle|clique[rz]?(?:\s+sur)?|appuie\s+sur|haz\s+clic\s+en|pulsa(?:\s+en)?|elige|clicca(?:\s+su(?:l|lla|llo)?)?|premi|chiudi)\s+(.+)$/iu;

/**
 * Returns the name of a page without the words around it: "invoices" for "the list of invoices" and for "my
 * invoices page".
 */
function place(text: string): string {
  return text
    .replace(/^(?:the|my|our)\s+/iu, "")
    .replace(/^(?:list|overview)\s+of\s+(?:(?:the|all|my|our)\s+)*/iu, "")
    .replace(/\s+(?:page|screen|view|section|area|ones?)$/iu, "");
}

/**
 * Returns the word of a text that is an ordinal, such as "second", and the position that it names. Positions
 * count from 1; -1 is the last.
 */
export function ordinalIn(text: string): { readonly word: string; readonly at: number } | undefined {
  const [, word] = ORDINAL.exec(text) ?? [];
  const at = word === undefined ? undefined : ORDINALS[word.toLowerCase()];
  return word === undefined || at === undefined ? undefined : { word, at };
}

function withOrdinal(target: string): Pick<Order, "target" | "ordinal"> {
  const [, word] = ORDINAL.exec(target) ?? [];
  if (word === undefined || isQuoted(target)) return { target: unquotedIn(target) };
  const ordinal = ORDINALS[word.toLowerCase()];
  return { target: unquotedIn(target.replace(ORDINAL, " ").replace(/\s+/gu, " ").trim()), ordinal };
}

/**
 * Removes the quotation marks in a target in which only some words are quoted, such as `the "Save" button for
 * Anna`.
 */
function unquotedIn(target: string): string {
  return target.replace(/["“”„«»`]|(?<![\p{L}])'|'(?![\p{L}])/gu, "").trim();
}

const input = (kind: "input" | "select" | "set", target: string, value: string): Order => ({
  kind,
  ...withOrdinal(target),
  value: unquoted(value),
});

const SECRET = /^(?:the\s+)?secret\s+([A-Za-z]\w*)$/iu;

/**
 * Returns the imperatives of a part of a task. A part with a list of values has several imperatives. Returns
 * `undefined` if the part has no imperative.
 */
export function ordersOf(written: string): readonly Order[] | undefined {
  return ordersIn(plainPhrase(withGlue(written)))?.map(withoutGlue);
}

/**
 * This character replaces the spaces of a quoted text while a task is split by patterns, so that the quoted
 * text stays whole.
 */
const GLUE = "\uE000";

const withGlue = (text: string): string => replaceQuotes(text, (quote) => quote.replaceAll(" ", GLUE));

function withoutGlue(order: Order): Order {
  const spaced = (text: string): string => text.replaceAll(GLUE, " ");
  const { target, value, also, entries } = order;
  return {
    ...order,
    target: spaced(target),
    value: value === null ? null : spaced(value),
    ...(also === undefined ? {} : { also: spaced(also) }),
    ...(entries === undefined ? {} : { entries: entries.map(withoutGlue) }),
  };
}

function ordersIn(part: string): readonly Order[] | undefined {
  const [, verb, article = "the ", first, noun, other = article, second, lastNoun] =
    TWO_POSITIONS.exec(part) ?? [];
  if (verb !== undefined) {
    const positions = [
      `${article}${first} ${noun ?? lastNoun ?? "one"}`,
      `${other}${second} ${lastNoun ?? noun ?? "one"}`,
    ];
    return positions.flatMap((position) => ordersIn(`${verb} ${position}`) ?? []);
  }
  const [, url] = OPEN_URL.exec(part) ?? [];
  if (url) {
    const address = url.startsWith("www.") ? `https://${url}` : url;
    return [{ kind: "navigate", target: address, value: address }];
  }
  const [, key] = KEY.exec(part) ?? [];
  if (key) return [{ kind: "keys", target: "", value: KEYS[key.toLowerCase()] ?? key }];
  if (BACK.test(part)) return [{ kind: "go_back", target: "", value: null }];
  if (RELOAD.test(part)) return [{ kind: "refresh", target: "", value: null }];
  const [, direction] = SCROLL.exec(part) ?? [];
  if (direction) return [{ kind: "scroll", target: "", value: direction.toLowerCase() }];
  const signIn = signInOrders(part);
  if (signIn) return signIn;
  const created = createOrder(part);
  if (created) return [created];
  return typedOrders(part) ?? chosenOrders(part) ?? clickOrders(part);
}

function signInOrders(part: string): readonly Order[] | undefined {
  const [, onlySecret] = SIGN_IN_BY_SECRET.exec(part) ?? [];
  if (onlySecret !== undefined)
    return [{ kind: "sign_in", target: "password", value: null, secret: onlySecret }, SEND_SIGN_IN];
  const [, user, password] = SIGN_IN.exec(part) ?? [];
  if (!user) return undefined;
  const secret = SECRET.exec(password ?? "")?.[1] ?? password;
  const name = /^[A-Za-z]\w*$/u.test(unquoted(secret ?? "")) ? unquoted(secret ?? "") : undefined;
  return [
    { kind: "sign_in", target: "username email login", value: unquoted(user) },
    { kind: "sign_in", target: "password", value: null, secret: name },
    SEND_SIGN_IN,
  ];
}

const SEND_SIGN_IN: Order = { kind: "click", target: "sign in", value: null, also: "log in" };

const sendOrders: readonly Order[] = [{ kind: "click", target: "send message", value: null, also: "submit" }];

function typedOrders(part: string): readonly Order[] | undefined {
  const [, recipient, body] = MAIL_TEXT.exec(part) ?? [];
  if (recipient && body) return [input("set", "to", recipient), input("set", "message", body), ...sendOrders];
  const [, event, date] = DATED.exec(part) ?? [];
  if (event && date) return [input("set", event, date)];
  const several = valuesAs(part);
  if (several) return several;
  const list = listOf(part);
  if (list) return list;
  for (const pattern of [FILL, SET]) {
    const [, target, value] = pattern.exec(part) ?? [];
    if (target && value && !OPEN_QUOTE.test(target)) return setOrders(target, value);
  }
  const [, thing, called] = NAME.exec(part) ?? [];
  if (thing && called) return [{ ...input("set", `${thing} name`, called), also: part }];
  const [, searched, wanted] = SEARCH_IN.exec(part) ?? [];
  if (searched && wanted) return [{ kind: "search", target: unquotedIn(searched), value: unquoted(wanted) }];
  const [, query] = SEARCH.exec(part) ?? [];
  const [, scope = "search"] = /["”»]\s+(?:in|on)\s+the\s+(.+)$/iu.exec(query ?? "") ?? [];
  if (query)
    return [
      {
        kind: "search",
        target: scope,
        value: unquoted(
          (/^(["“„«][^"“”»]+["”»])\s+(?:in|on|at)\s/u.exec(query)?.[1] ?? withoutOne(query)).replace(
            /\s+(?:in|on|at|with|across|within)\s+(?:the|this)\s+(?:search|site|page|dashboard|app|list|table|menu|box|bar)\b.*$/iu,
            "",
          ),
        ),
      },
    ];
  const [, first, quoted] = TYPE_FIELD_FIRST.exec(part) ?? [];
  if (first && quoted && !/\b(?:in|into|as|for|to)$/iu.test(first))
    return [withSecret(input("set", first, quoted))];
  const [, value, field] = TYPE.exec(part) ?? [];
  if (value && field) return [{ ...withSecret(input("set", field, value)), also: part }];
  const [, only] = TYPE_ONLY.exec(part) ?? [];
  if (only) return [{ kind: "input", target: "", value: unquoted(only) }];
  return undefined;
}

/** Parses "Enter Ada as the first name and Byron as the last name" into one imperative for each value. */
function valuesAs(part: string): readonly Order[] | undefined {
  const [verb = ""] = part.split(" ");
  const pieces = AS_LIST.test(part) ? splitUnquoted(part.slice(verb.length + 1), NEXT_AS) : [];
  if (pieces.length < 2) return undefined;
  const orders = pieces.flatMap((piece): readonly Order[] => {
    const [, value, target] = AS_LIST.exec(`${verb} ${piece}`) ?? [];
    return value && target ? [withSecret(input("set", target, value))] : [];
  });
  return orders.length === pieces.length ? orders : undefined;
}

/**
 * Splits a text that contains a value and further fields with their values, such as "the phone to 555 and the
 * zip code to 90210". Returns one order for each field.
 */
function setOrders(target: string, value: string): readonly Order[] {
  const [, before, further = ""] = isQuoted(value) ? [] : (THEN_FIELD.exec(value) ?? []);
  const [, field, entry] = FIELD_PAIR.exec(further) ?? [];
  if (before && field && entry) return [withSecret(input("set", target, before)), ...setOrders(field, entry)];
  const [, own, others] = isQuoted(value) ? [] : (ALSO_SET.exec(value) ?? []);
  if (!own || !others) return [withSecret(input("set", target, value))];
  const [, next, rest] = /^(.+?)\s+(?:to|as|=)\s+(.+)$/iu.exec(others) ?? [];
  return next && rest
    ? [withSecret(input("set", target, own)), ...setOrders(next, rest)]
    : [withSecret(input("set", target, value))];
}

/** Parses named values such as `name: Ada, city: Vienna`. A single named value is accepted too. */
function listOf(part: string): readonly Order[] | undefined {
  const [, pairs] = FILL_LIST.exec(part) ?? [];
  const text = pairs ?? (/^[\p{L}\s-]{2,40}(?::(?!\/\/)|=)\s*\S/u.test(part) ? part : undefined);
  if (text === undefined) {
    const [, target, value] = IS.exec(part) ?? [];
    return target && value && !/^(?:it|that|this|there|what|which|who)\b|\s(?:that|which|who)$/iu.test(target)
      ? setOrders(target, value)
      : undefined;
  }
  const found = text
    .split(/\s*(?:,|;|\band\b)\s*(?=[\p{L}][\p{L}\s-]{0,40}(?::(?!\/\/)|=))/iu)
    .flatMap((pair) => {
      const [, target, value] = /^\s*(.+?)\s*(?::(?!\/\/)|=)\s*(.+?)\s*$/u.exec(pair) ?? [];
      return target && value ? [withSecret(input("set", target, value))] : [];
    });
  return found.length > 0 ? found : undefined;
}

/**
 * Matches the name of a field for a password. If a task enters "secret garden" into such a field, it means
 * the stored secret with the name "garden".
 */
const PASSWORD = /passw|token|\bpin\b|\bkey\b|kennwort|mot de passe|contraseña|parola d['’]ordine/iu;

/**
 * If the value of an imperative is the name of a stored secret, as in "secret SHOP", returns the imperative
 * with the secret instead of the value.
 */
export function withSecret(order: Order): Order {
  const [, name] = SECRET.exec(order.value ?? "") ?? [];
  const isMeant = name === name?.toUpperCase() || PASSWORD.test(order.target);
  return name === undefined || !isMeant ? order : { ...order, value: null, secret: name };
}

/**
 * Matches an order to give a thing to a person. The name of the person must start with a capital letter, or be the
 * name of an account, such as "leo.marsh".
 */
const ASSIGN =
  /^[Aa]ssign\s+(?:it|this|that|the\s+\p{L}+|\p{Lu}+-\d+)\s+to\s+(?=\p{Lu}|[\p{L}\d]+[._-][\p{L}\d._-]+$|\S+@\S+$)(.+)$/u;

function chosenOrders(part: string): readonly Order[] | undefined {
  const [, person] = ASSIGN.exec(part) ?? [];
  if (person) return [input("set", "assignee", person)];
  const [, value, list] = SELECT.exec(part) ?? [];
  if (value && list) return selectOrders(value, list, part);
  const [, off] = UNCHECK.exec(part) ?? [];
  if (off) return [{ kind: "check", ...withOrdinal(off), value: null, off: true, also: part }];
  const [, on] = CHECK.exec(part) ?? [];
  if (on) return [{ kind: "check", ...withOrdinal(on), value: null, also: part }];
  const [, one] = SELECT_ONLY.exec(part) ?? [];
  if (one) return [{ kind: "select", target: "", value: unquoted(one), also: part }];
  return undefined;
}

/**
 * Matches several options with their lists: "Germany as country, German as language and Euro as currency".
 */
const ALSO_SELECT =
  /^(.+?)\s*(?:,|\band\b)\s*(?:and\s+)?(.+?)\s+(?:in|from|for|as|under)\s+(?:the\s+|my\s+)?(.+)$/iu;

function selectOrders(value: string, list: string, part: string): readonly Order[] {
  const [, own, next, rest] = isQuoted(list) ? [] : (ALSO_SELECT.exec(list) ?? []);
  if (!own || !next || !rest) return [{ ...input("select", list, value), also: part }];
  return [
    { ...input("select", own, value), also: `${value} in ${own}` },
    ...selectOrders(next, rest, `${next} in ${rest}`),
  ];
}

function clickOrders(part: string): readonly Order[] | undefined {
  const [, ordinal, number] = NUMBERED_PAGE.exec(part) ?? [];
  if (ordinal || number) {
    const page = number ?? String(ORDINALS[(ordinal ?? "").toLowerCase()]);
    return [{ kind: "click", target: page, value: null }];
  }
  const [, column] = SORT.exec(part) ?? [];
  if (column) return [{ kind: "sort", ...withOrdinal(column), value: null }];
  const [, stars] = RATE.exec(part) ?? [];
  if (stars) {
    const count = NUMBERS[stars.toLowerCase()] ?? stars;
    return [{ kind: "click", target: `${count} ${count === "1" ? "star" : "stars"}`, value: null }];
  }
  const [, there] = PLACE.exec(part) ?? [];
  if (there) return [{ kind: "click", ...withOrdinal(place(there)), value: null, also: part, isPlace: true }];
  const [, target] = CLICK.exec(part) ?? [];
  if (target) return [{ kind: "click", ...withOrdinal(target), value: null, also: part }];
  const [, found] = FIND.exec(part) ?? [];
  if (found) return [{ kind: "search", target: "search", value: unquoted(withoutOne(found)), also: found }];
  // An imperative without a known verb may be the name of an element: "Generate the report".
  const whole = withOrdinal(part);
  return plainText(part) === "" ? undefined : [{ kind: "click", ...whole, value: null, also: whole.target }];
}

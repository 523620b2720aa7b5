/**
 * Binds the value of a statement to the page's only field for a value of its kind: an e-mail address, an IBAN, the
 * number of a thing, a person who stands in, or a place of delivery.
 */
import { nameOf } from "../../session/page/element-line.ts";
import type { HighlightedElement } from "../../session/page/page-snapshot.ts";
import { isField, isList } from "../elements/texts-that-may-name-element.ts";
import { contentWords, plainText } from "../words/normalised-words.ts";
import { bound } from "./values-bound-by-field-index.ts";

type Elements = readonly HighlightedElement[];

/**
 * Returns the task with each stated value bound to its field: "my e-mail address is now ada@site.example"
 * becomes `#field-7 "ada@site.example"`.
 */
export const withStatedValues = (task: string, elements: Elements): string =>
  [
    withOwnEmail,
    withIban,
    withNumberOfThing,
    withSubstitute,
    withDelivery,
    withDescription,
    withQuantity,
  ].reduce((text, rewritten) => rewritten(text, elements), task);

/** Returns the field whose label matches; `undefined` if there are several such fields or none. */
function onlyNamed(elements: Elements, label: RegExp): HighlightedElement | undefined {
  const [only, other] = elements.filter(
    (one) => isField(one) && !isList(one) && !one.disabled && label.test(plainText(nameOf(one))),
  );
  return other === undefined ? only : undefined;
}

/** Matches the e-mail address of the person, and the words that state it: "my e-mail address is now ada@site.example". */
const OWN_EMAIL =
  /(?<!\p{L})(?:my|our|meine?|unsere?|mon|ma|notre|mi|nuestro|la\smia|il\smio|meu)\s(?:new\s|neue\s|nouvelle\s|nuevo\s|nuova\s)?(?:e-?mail|mail|courriel|correo|adresse\se-?mail|indirizzo\se-?mail)(?:[\s-]\p{L}+)?\s(?:is|ist|lautet|est|es|è|é)\s(?:now\s|jetzt\s|maintenant\s|ahora\s|ora\s)?([^\s,;]+@[^\s,;]+[^\s,;.!?])/iu;
const EMAIL_LABEL = /(?<!\p{L})(?:e-?mail|mail|courriel|correo)(?!\p{L})/u;

function withOwnEmail(task: string, elements: Elements): string {
  if (!OWN_EMAIL.test(task)) return task;
  const field = onlyNamed(elements, EMAIL_LABEL);
  return field ? task.replace(OWN_EMAIL, (_, address) => bound(field, address)) : task;
}

/** Matches an IBAN (ISO 13616) after words that name or state it: "my new account is AT61…", "put in my IBAN DE75 …". */
const IBAN =
  /(?:(?<=^|[,;.]\s)(?:(?:please|bitte|put|enter|type|use|in|my|our|the|new|bank|account|number|iban|is|mein\p{L}*|neues?|konto|lautet|ist|mon|compte|est|mi|cuenta|es|il|mio|conto|è)\s){1,8})?\b([A-Z]{2}\d{2}(?:\s?[A-Z\d]{4}){2,7}(?:\s?[A-Z\d]{1,3})?)(?![\p{L}\d])/iu;

function withIban(task: string, elements: Elements): string {
  const [said, iban] = IBAN.exec(task) ?? [];
  if (said === undefined || iban === undefined || iban !== iban.toUpperCase()) return task;
  const field = onlyNamed(elements, /(?<!\p{L})iban(?!\p{L})/u);
  return field ? task.replace(said, bound(field, iban)) : task;
}

/** Matches the number of a thing: "The meter has the number 4471", "Der Zähler hat die Nummer 1ESY4471". */
const NUMBER_OF_THING =
  /(?<=^|[,;.]\s)(?:the|my|our|der|die|das|mein\p{L}*|le|la|el)\s(\p{L}+)\s(?:has|hat|a|tiene)\s(?:the|die|le|el)\s(number|nummer|numéro|número)\s(?=\S*\d)([\p{L}\d./-]*[\p{L}\d])/iu;

function withNumberOfThing(task: string, elements: Elements): string {
  return task.replace(NUMBER_OF_THING, (all, thing, noun, value) => {
    // A German name joins both nouns to one: "Zählernummer" for the number of a "Zähler" (meter).
    const field = onlyNamed(
      elements,
      new RegExp(`(?<!\\p{L})${plainText(thing)}(?:s?|.*\\s)${plainText(noun)}(?!\\p{L})`, "u"),
    );
    return field ? bound(field, value) : all;
  });
}

/** Matches a person who does the work of another: "Kenji covers for me", "Lena vertritt mich". */
const SUBSTITUTE =
  /(?<=^|[,;.]\s)(\p{Lu}[\p{L}'’-]+(?:\s\p{Lu}[\p{L}'’-]+)?)\s(?:(?:will\s)?(?:covers?|stands?\sin|fills?\sin|steps?\sin|deputi[sz]es?)\sfor\s(?:me|us)|vertritt\s(?:mich|uns)|(?:me|nous)\sremplace|(?:me|nos)\s(?:sustituye|reemplaza)|mi\ssostituisce)(?:\s(?:while|during|when|until|während|solange|pendant|mientras|durante)\s[^,;.]*)?/u;
const SUBSTITUTE_LABEL =
  /(?<!\p{L})(?:stands?\sin|covers?|covered|cover|substitute|deputy|replacement|vertret\p{L}*|remplac\p{L}*|sustitu\p{L}*|sostitu\p{L}*)(?!\p{L})/u;

function withSubstitute(task: string, elements: Elements): string {
  if (!SUBSTITUTE.test(task)) return task;
  const field = onlyNamed(elements, SUBSTITUTE_LABEL);
  return field ? task.replace(SUBSTITUTE, (_, person) => bound(field, person)) : task;
}

/** Matches the place to which a thing should be brought: "The material should go to 30 Park Lane". */
const DELIVERY =
  /(?<=^|[,;.]\s)(?:[Tt]he\s[\p{L}\s]{2,40}?|[Ii]t|[Tt]hey|[Ee]verything)\s(?:should|must|shall|has\sto|have\sto)\s(?:go|be\s(?:sent|delivered|shipped|brought))\sto\s(\d+\p{L}?(?:\s\p{Lu}[\p{L}.'’-]*){1,4}|\p{Lu}[\p{L}.'’-]*(?:\s\p{Lu}[\p{L}.'’-]*){0,3}\s\d+\p{L}?)(?=\s*$|[,;.!])/u;
const DELIVERY_LABEL = /(?<!\p{L})(?:deliver(?:y|ed)?|ship(?:ping)?|send)(?:\s(?:address|to))(?!\p{L})/u;

function withDelivery(task: string, elements: Elements): string {
  const field = DELIVERY.test(task) ? onlyNamed(elements, DELIVERY_LABEL) : undefined;
  return field ? task.replace(DELIVERY, (_, place) => bound(field, place)) : task;
}

/** Matches an order to describe something by a quoted text: `describe it for screen readers as "A train"`. */
const DESCRIPTION =
  /(?<=^|[,;.]\s|\s(?:and|then)\s)describe\s(?:it|them|this|that)(?:\s[^"“„«,;]*?)?\s(?:as|with|by)\s(?:["“„«]([^"”“»]+)["”“»])/iu;
const DESCRIPTION_LABEL = /(?<!\p{L})(?:description|details|describe)(?!\p{L})/u;

function withDescription(task: string, elements: Elements): string {
  const field = DESCRIPTION.test(task) ? onlyNamed(elements, DESCRIPTION_LABEL) : undefined;
  return field ? task.replace(DESCRIPTION, (_, text) => bound(field, text)) : task;
}

/** Matches a number, a unit and a thing of a list: "5 bags of grey grout", "12 m² of the white tiles". */
const QUANTITY_OF =
  /(?<=^\p{L}+\s|^\p{L}+\s\p{L}+\s)(\d+(?:[.,]\d+)?)\s(?:[\p{L}²³]+\s)?of\s(?:the\s)?([\p{Ll}][\p{Ll}\s-]*?)(?=\s*$|[,.;!]|\s(?:and|right|now|today|please|on|in|to|for)(?:\s|$))/u;
const QUANTITY_LABEL = /^(?:quantity|amount|count|number|how many|menge|anzahl|quantite|cantidad|quantita)$/u;

/**
 * For a task such as "Buy 5 bags of grey grout", binds the number to the only field for a quantity, and the
 * thing to the only list that has it as an option.
 */
function withQuantity(task: string, elements: Elements): string {
  const [said, number, thing] = QUANTITY_OF.exec(task) ?? [];
  const field = said === undefined ? undefined : onlyNamed(elements, QUANTITY_LABEL);
  if (said === undefined || number === undefined || thing === undefined || !field) return task;
  const words = contentWords(thing);
  const found = elements.filter(isList).flatMap((list) =>
    (list.options ?? []).flatMap((option) => {
      const own = contentWords(option);
      return words.length > 0 && words.every((word) => own.includes(word)) ? [{ list, option }] : [];
    }),
  );
  const [only, other] = found;
  if (!only || other) return task;
  return `${bound(only.list, only.option)}, ${bound(field, number)}, ${task.replace(said, "").replace(/\s{2,}/gu, " ")}`;
}

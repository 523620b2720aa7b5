/**
 * Lists of words in tasks, in five languages: verbs for what a person does, and words such as "to" that join a
 * value to its field.
 */
import { contentWords } from "./normalised-words.ts";

const stems = (words: string): ReadonlySet<string> =>
  new Set(words.split(/\s+/u).flatMap((word) => contentWords(word)));

/** Verbs such as "open" and "show", which never say which element is meant. */
const OPEN = stems(
  "click press hit tap push open go visit show view see display take bring get jump head navigate launch look read give want need find let have would could can where what which back run " +
    "klick klicke drucke offne zeig zeige gehe geh ich mochte will clique cliquer appuie ouvre ouvrir affiche montre va aller allez ve ir vete llevame veux voudrais haz clic pulsa abre muestra quiero clicca premi apri vai mostra mostrami visualizza vedi voglio vorrei dammi fammi puoi",
);
const SET = stems(
  "set change enter type fill write put make update edit input insert replace rename name call use provide modify adjust correct should must be become need say " +
    "setze andere trage trag gib schreibe schreib mets change modifie remplis saisis ecris pon cambia escribe rellena introduce imposta metti scrivi inserisci compila modifica digita",
);
const CHOOSE = stems(
  "select choose pick set switch use want prefer take make filter only wahle wahl choisis selectionne elige selecciona scegli seleziona usa imposta prendi",
);
const TICK = stems(
  "check tick include enable activate turn switch mark accept agree allow uncheck untick disable deactivate unmark stop toggle off done complete completed finished ready no longer not any more hide " +
    "markiere hake aktiviere deaktiviere coche decoche active desactive marca desmarca activa desactiva spunta attiva disattiva deseleziona accendi spegni segna",
);
const SEARCH = stems(
  "search find look query lookup hunt suche such finde cherche trouve recherche busca encuentra cerca trova ricerca",
);
const MESSAGE = stems(
  "reply answer respond comment say tell write post message chat ask send schreibe antworte kommentiere sage frage reponds ecris dis commente demande responde escribe di comenta pregunta rispondi scrivi commenta chiedi dille digli",
);
export const VERBS = { OPEN, SET, CHOOSE, TICK, SEARCH, MESSAGE } as const;

/** Words between a field and the value after it, such as "to" in "set the city to Berlin". */
export const TO =
  /^(?:to|as|is|are|be|with|into|be|named|called|now|=|:|in|on|for|from|by|at|jetzt|nun|maintenant|ahora|auf|zu|als|mit|lautet|heisst|ist|nach|en|est|comme|avec|a|es|como|con|por|das|e|come|su|sul|sulla|per|sotto|sopra|the|reads?|says?|saying|text)$/u;
/** Matches words between a value and the name of its field, such as "as" in "enter Ada as the name". */
export const AS =
  /^(?:as|for|in|into|to|under|on|is|als|in|fur|comme|dans|pour|como|en|para|come|nel|nella|per|sotto|the|my|our)$/u;
/** Words at the end of a task that add nothing, as in "… now please". */
export const TAIL =
  /^(?:now|please|pls|thanks|instead|again|too|bitte|jetzt|merci|gracias|grazie|adesso|ya|anymore|more|only)$/u;
/** Words in a task that switch something off, such as "disable". */
const OFF =
  /\b(?:untick|uncheck|unmark|disable|deactivate|off|no longer|stop|don['’]?t|do not|never|cannot|can['’]?t|isn['’]?t|not|without|any ?more|deaktiviere|nicht|kein\w*|desactive|décoche|plus|desactiva|desmarca|disattiva(?:re)?|deseleziona(?:re)?|spegn(?:i|ere|a)|senza|non|no)\b/iu;

/**
 * Matches words that hide something. If a clause has such a word, a checkbox "Show" is switched off and a
 * checkbox "Hide" is switched on.
 */
const HIDE = /\b(?:hid(?:e|den|ing)|verstecke|ausblenden|masque[rz]?|ocultar?|nascond(?:i|ere|a))\b/iu;
/** Matches a verb for hiding that is negated: "The number should not be hidden". */
const NOT_HIDDEN =
  /\b(?:not|never|longer|stop|\p{L}+n['’]?t)\s+(?:(?:be|want|need|have|it|to)\s+)*hid(?:e|den|ing)\b/iu;

/** Matches the wish to go without a thing: "without motorways". */
const LACKS = /(?<!\p{L})(?:without|avoid(?:ing)?|ohne|sans|sin|senza|no)\s/iu;
/** Matches the label of a checkbox that leaves a thing out: "Avoid motorways", "Insurance without excess". */
const AVOIDS =
  /(?<!\p{L})(?:avoid|exclude|without|no|skip|ohne|vermeiden|sans|éviter|sin|evitar|senza|evitare)(?!\p{L})/iu;

/** Whether a clause contains a verb such as "hide". The clause may also be negative: "Do not hide". */
export const hides = (clause: string): boolean => HIDE.test(clause);

/**
 * Whether a clause asks to switch off the control with this label. A word such as "without" does not switch
 * off a checkbox that leaves a thing out, such as "Avoid motorways". A verb such as "hide" switches on a
 * checkbox "Hide", unless the verb is negated.
 */
export function switchesOff(clause: string, label: string): boolean {
  if (!hides(clause)) return OFF.test(clause) && !(LACKS.test(clause) && AVOIDS.test(label));
  const isHidden = !NOT_HIDDEN.test(clause);
  return contentWords(label).includes("hide") ? !isHidden : isHidden;
}

/** Words that describe no element, such as "could". `FILLERS` contains more of them. */
export const EMPTY: ReadonlySet<string> = new Set(
  "one ones as be been would could should can will do does did so but if then also just than some any he she they not no off out up down how what where when there s t d m ll re don doesn didn isn aren wasn won couldn shouldn wouldn hasn haven oh hey hi please pls thanks as kindly let aussi auch tambien jetzt nun maintenant ahora nur solo seulement soltanto adesso anche".split(
    " ",
  ),
);
/** Verbs such as "reply", which ask to type a text and then to send it. */
export const SENDING = stems(
  "reply answer respond comment post send tell say message mail email ask antworte kommentiere sende frage mail reponds envoie commente demande responde envia comenta pregunta manda rispondi invia commenta chiedi",
);
/** Further verbs after which a button is clicked when a value was entered, as in "Invite ada@example.com". */
export const SUBMITTING = stems("invite subscribe share book reserve apply redeem");
/**
 * Verbs that create a thing from a value: "Create an event called Dentist". After such a verb, the form is
 * submitted.
 */
export const CREATING = stems("create add new erstelle fuge cree ajoute crea anade aggiungi");
/** Verbs that rename a thing. The field for the new name still contains the old name. */
export const RENAMING = stems("rename replace");
/** Words that introduce the name of a thing: "It's called Winter campaign". */
export const NAMED =
  /^(?:called|named|titled|entitled|call|heisst|nenne|namens|genannt|appelle|appelee?|nommee?|intitulee?|llama|llamad[oa]|titulad[oa]|chiamat[oa]|chiama|intitolat[oa])$/u;
/**
 * Verbs with two uses. They may be a part of a control's name, as in "Edit the order". Or they only state
 * that a field is changed, as in "Change the name to Ada".
 */
export const EDITING = stems("edit change update modify bearbeite modifie edita modifica");
/** Words between the name of a control and the name of its row, such as "of" in "the settings of Anna". */
export const OF =
  /^(?:of|for|from|by|belonging|von|vom|fur|du|des|de|del|di|della|dello|dei|degli|delle|dell)$/u;
/** Verbs that enter text into a field. They never mean a click. */
export const TYPING = stems(
  "fill type enter write insert input paste schreibe ecris escribe remplis rellena scrivi inserisci compila digita",
);

/** Words that introduce the thing to which a field belongs, as alternatives of a pattern: "the phone of Ada". */
export const OWNER_WORDS = "of|von|des|der|du|de|del|della|di";
/** Words before the new value of a field, as alternatives of a pattern: "Change the phone of Ada to 555". */
export const NEW_VALUE_WORDS = "to|auf";

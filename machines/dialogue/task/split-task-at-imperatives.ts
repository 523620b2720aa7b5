/**
 * Splits a task into parts, each with one imperative: at "then", between sentences, and at "and" or a comma
 * before another verb.
 */

/**
 * Pattern of the endings and pronouns that may be attached to an Italian verb, such as "mi" in "mostrami".
 */
const ATTACHED = "(?:re|te|rl[oaie]|m[ie]l[oaie]|mi|l[oaie])?";
/**
 * Matches an Italian article after a verb. Some Italian verbs are nouns in another language; the article
 * shows that the verb is meant: "Firma il contratto".
 */
const BEFORE_ARTICLE = "(?=\\s+(?:il|lo|la|gli|le|l['’]|un[ao]?)(?![\\p{L}]))";
/**
 * Verbs with which an Italian or a Portuguese imperative starts. The endings of Italian verbs are those of the
 * infinitive, of the plural and of attached pronouns.
 */
const ITALIAN_AND_PORTUGUESE_VERBS =
  "(?:mostra|visualizza|salva|invia|elimina|cancella|annulla|modifica|cambia|seleziona|deseleziona|spunta|clicca|trova|" +
  "attiva|disattiva|abilita|disabilita|scarica|carica|stampa|invita|paga|prenota|acquista|rinomina|sposta|svuota|ripristina|" +
  "aggiorna|conferma|accetta|rifiuta|approva|pubblica|compila|imposta|crea|segna|archivia|filtra|assegna|blocca|sblocca|" +
  "rinnova|registra|avvisa|segnala|ricarica|disdici)" +
  `${ATTACHED}|` +
  "(?:apri|chiudi|aggiungi|rimuovi|togli|scrivi|inserisci|scegli|metti|rispondi|condividi|leggi|vedi|spegni|accendi|prendi|" +
  "nascondi|iscrivi|riduci)(?:te|m[ie]l[oaie]|mi|ti|l[oaie])?|" +
  "aprire|chiudere|aggiungere|rimuovere|togliere|scrivere|inserire|scegliere|mettere|rispondere|condividere|leggere|vedere|" +
  "spegnere|accendere|nascondere|ridurre|spedire|apra|chiuda|aggiunga|rimuova|tolga|scriva|inserisca|scelga|metta|risponda|condivida|" +
  "spenga|accenda|mostri|salvi|elimini|cancelli|annulli|modifichi|cerchi|invii|vai|andare|torna(?:re)?|premi|dammi|fammi|esci|accedi|" +
  "spedisci|cercare|cercami|ricerca(?:re)?|disconnetti(?:mi)?|" +
  `(?:firma|usa|porta|ordina|lascia|copia|avvia|ferma)(?:re|l[oaie])?${BEFORE_ARTICLE}|cerca(?!\\s+del?\\s)|` +
  "mostre|abra|feche|salve(?=\\s)|guarde|procure|pesquise|escreva|selecione|adicione|exclua|apague|cancele|limpe|altere|mude|escolha|" +
  "marque|desmarque|ligue|desligue|envie|remova|clique|encerre|termine";

/** Verbs with which an imperative starts. Text without such a verb belongs to the part before it. */
const VERBS =
  "click|press|hit|tap|push|select|choose|pick|open|go|visit|navigate|follow|show|view|see|display|expand|collapse|" +
  "close|switch|type|enter|write|put|input|insert|fill|set|change|update|edit|modify|rename|use|search|look|find|" +
  "check|tick|uncheck|untick|enable|disable|turn|activate|deactivate|toggle|agree|accept|decline|reject|sign|log|" +
  "save|submit|send|apply|confirm|cancel|delete|remove|erase|discard|add|create|upload|download|export|import|invite|" +
  "publish|post|pay|buy|purchase|order|book|subscribe|unsubscribe|share|copy|duplicate|print|reset|clear|refresh|" +
  "reload|scroll|wait|move|drag|sort|filter|assign|approve|archive|block|ban|mark|make|start|stop|pause|resume|run|" +
  "generate|register|rate|name|call|fix|adjust|correct|continue|finish|complete|connect|disconnect|proceed|carry|revoke|rotate|hit|bring|take|get|let|give|leave|" +
  "trash|star|collapse|fold|unfold|put|jette[rz]?|deploy|install|uninstall|restart|launch|undo|redo|attach|detach|mute|unmute|unpin|unfollow|unlock|reply|hide|" +
  "replace|throw|tell|ask|bin|dismiss|minimi[sz]e|maximi[sz]e|verify|validate|withdraw|proceed|" +
  "abonniere|teile|bearbeite|aktiviere|deaktiviere|ändere|partage[rz]?|modifie[rz]?|comparte|edita|" +
  "klicke?|öffne|drücke|wähle|gib|lösche?|entferne?|sende?|bezahle?|speichere?|bestätige|melde|lade|kündige|" +
  "clique[rz]?|ouvre|ouvrir|choisis|supprime[rz]?|envoie|envoyer|payer|paye[rz]?|enregistre|déconnecte|publie[rz]?|invite[rz]?|" +
  "wirf|nimm|setze?|trage?|schreibe?|suche?|finde|gehe?|zeige?|mach|füge|erstelle?|markiere?|schicke?|abonniere|" +
  "mets|jette|sélectionne[rz]?|coche[rz]?|décoche[rz]?|remplis|saisis|écris|va|cherche[rz]?|trouve[rz]?|efface[rz]?|enlève|retire|ajoute[rz]?|crée[rz]?|change[rz]?|affiche[rz]?|" +
  "selecciona|marca|desmarca|escribe|introduce|rellena|busca|quita|añade|crea|cambia|manda|pon|muestra|modifica|encuentra|" +
  "haz|pulsa|abre|elige|elimina|borra|envía|paga|guarda|cierra|publica|invita|" +
  "hake?|sage?|stelle?|löse?|frage?|bezahl|(?:env[ií]a|gu[aá]rda|b[oó]rra|elim[ií]na|publ[ií]ca|p[aá]ga|canc[eé]la|an[uú]la)l[ao]s?|dame|apúntame|passe[rz]?|inscris|inscrivez|inscribe|keep|" +
  ITALIAN_AND_PORTUGUESE_VERBS;

/** Matches a text that starts with the verb of an imperative, such as "click". */
export const FIRST_VERB = new RegExp(`^(?:${VERBS})\\b`, "iu");

const POLITE =
  /^(?:(?:hi|hello|hey|ok|okay|alright|sorry|never mind|that['’]s (?:all|it)|(?:i|we)(?:['’]ve| have)? changed (?:my|our) mind|(?:i|we)(?:['’]m|['’]re| am| are) done(?: here)?|so|well|now|please|kindly|pls|first|firstly|second|secondly|next|finally|afterwards|after that|also|and|then|lastly|bitte|s'il te plaît|s'il vous plaît|por favor|per favore|per piacere|ciao|buongiorno)[,:\s]+|(?:(?:can|could|would|will) (?:you|we|i)(?: please)?|(?:i|we)(?: would|'d| really)?(?: like| want| need| have)(?: you)? to|i(?:'m| am) (?:trying|looking) to|let'?s|let us|go ahead and|try to|make sure (?:to|you)|help me(?: to)?|you should|how (?:do|can) i|be so kind(?: as)? to|kannst du|könntest du|ich möchte|je veux|je voudrais|peux-tu|pouvez-vous|quiero|puedes|(?:mi\s+)?(?:puoi|potresti|potrebbe)|voglio|vorrei|vorremmo|(?:io\s+)?devo|pode|poderia)\s+)+/iu;
const TRAILING =
  /(?:[\s,]+(?:please|pls|from now on|for now|right away|straight away|for the moment|asap|for me|thanks|thank you|now|right now|again|as well|too|bitte|s'il te plaît|s'il vous plaît|por favor|per favore|per piacere|grazie|adesso))+$/iu;

/**
 * Matches an order to type a text that has no quotation marks. Words that are dropped at the end of other
 * orders may belong to this text, as in "Write see you again".
 */
const TYPES_TEXT = /^(?:write|type)\s(?!.*(?:⟦|\s(?:in(?:to)?|as|for|under)\s))/iu;
/** Matches polite words at the end of a text. */
const POLITE_END = /(?:[\s,]+(?:please|pls|thanks|thank you))+$/iu;

const QUOTED =
  /"([^"]+)"|“([^”]+)”|„([^“”]+)[“”]|«([^»]+)»|(?<![\p{L}\p{N}])'([^']+)'(?![\p{L}\p{N}])|`([^`]+)`/gu;
/**
 * Beginnings of month names in five languages. A point before a month, as in "1. Oktober", does not end the
 * sentence.
 */
const MONTHS =
  "jan|feb|fév|mär|mar|apr|avr|abr|mai|may|jun|juin|jul|juil|aug|ao[uû]|ago|sep|okt|oct|nov|dez|dec|déc|dic|ene|" +
  "gen|mag|giu|lug|set|ott";
const SPLIT = new RegExp(
  `\\s*(?:[;\\n]+|(?<=[\\p{L}\\p{N}⟧)])[.!?]\\s+(?!(?:${MONTHS}))(?=\\S)|,?\\s+(?:(?:and|e)\\s+)?(?:then|afterwards|after that|dann|danach|puis|ensuite|luego|después|poi|quindi|infine)[,]?\\s+|,\\s*(?:and\\s+)?(?=(?:${VERBS})\\b|(?:my|our)\\s+[\\p{L}\\s]{2,30}\\s+is\\s)|\\s+(?:and|&|und|et|y|e)\\s+(?:also\\s+|finally\\s+|now\\s+)?(?=(?:${VERBS})\\b)|\\s+before\\s+you\\s+)\\s*`,
  "giu",
);
/**
 * Matches the headline of a task, such as "Sign out the phone:" in "Sign out the phone: revoke the session".
 * The headline is dropped, because the words after the colon describe the same task.
 */
const HEADLINE = new RegExp(`^(?!fill|enter|complete)[^:"“]{3,60}:\\s+(?=(?:${VERBS})\\b)`, "iu");
const WORD = /[\p{L}\p{N}]/u;

/** Returns a text with a mark such as `⟦0⟧` in place of each quoted text, and the quoted texts in order. */
function withMarkedQuotes(text: string): { readonly safe: string; readonly quotes: readonly string[] } {
  const quotes: string[] = [];
  const safe = text.replace(QUOTED, (quote) => `⟦${quotes.push(quote) - 1}⟧`);
  return { safe, quotes };
}

/** Replaces marks such as `⟦0⟧` in a text by the quoted texts for which they stand. */
const restore = (text: string, quotes: readonly string[]): string =>
  text.replace(/⟦(\d+)⟧/gu, (_, at: string) => quotes[Number(at)] ?? "");

/** Splits a text like `String.split`, but never inside of quotation marks. */
export function splitUnquoted(text: string, separator: RegExp): readonly string[] {
  const { safe, quotes } = withMarkedQuotes(text);
  return safe.split(separator).map((part) => restore(part, quotes));
}

/** Matches a place that precedes its imperative: "In the to-do list, check the first task". */
const PLACE_FIRST =
  /^(?:(?:in|on|under|at|im|dans|en)\s+(?:the|my|this|der|dem|la|le|el)|nel(?:la|lo)?|nei|nelle|sul(?:la|lo)?)\s+[^"“,]{2,40}$/iu;
/**
 * Matches the reason or result after an imperative: ", so that the title stays" in "Hide the text, so that
 * the title stays".
 */
const EXPLANATION = new RegExp(
  `,\\s+(?:only(?!\\s+(?:${VERBS})\\b)|so\\s+that|because|since|damit|weil|pour\\s+que|parce\\s+que|para\\s+que|porque|perché|così)\\s[^⟦]+$`,
  "iu",
);
/**
 * Matches the start of a question about a thing, such as "What is". A pronoun in the next part of the task
 * may refer to this thing.
 */
const ASKS = /^(?:what|which|where|who|how|wer|wo|was|qui|où|quién|dónde|chi|quale|dove)\b/iu;

/**
 * Moves a place to the end of its imperative: "In the to-do list, check the first task" becomes "check the
 * first task in the to-do list".
 */
function withPlaces(parts: readonly string[]): readonly string[] {
  return parts.flatMap((part, at) => {
    const before = parts[at - 1];
    if (PLACE_FIRST.test(part) && parts[at + 1] !== undefined) return [];
    return before !== undefined && PLACE_FIRST.test(before)
      ? [`${part} ${before.charAt(0).toLowerCase()}${before.slice(1)}`]
      : [part];
  });
}

/**
 * Matches an adverb between a verb and a new value: "My name is now Ada". With a capital letter, the word belongs
 * to the value: "The title is Now and Then".
 */
const NOW =
  /(?<=\s(?:is|are|ist|sind|lautet|est|sont|es|son|è|sono)\s)(?:now|jetzt|nun|maintenant|ahora|ora|adesso)\s+(?=\S)/u;

/** Matches the words with which a question or a greeting precedes an imperative: "Can you", "Hi, could you please". */
const POLITE_START = new RegExp(
  `^\\s*(?:(?:hi|hello|hey|hallo|bonjour|salut|hola|ciao|buongiorno|salve|olá)[,!\\s]+)?(?:please\\s+)?(?:(?:can|could|would|will)\\s+you|kannst\\s+du|könn(?:t)?est\\s+du|können\\s+sie|könnten\\s+sie|peux-tu|pouvez-vous|pourr(?:ais-tu|iez-vous)|puedes|podrías|(?:mi\\s+)?(?:puoi|potresti|può|potrebbe)|você\\s+pode|pode(?:ria)?)\\s+(?:please\\s+|bitte\\s+|per\\s+favore\\s+)?(?=(?:${VERBS})\\b)`,
  "iu",
);

/** Returns a polite question as an imperative: "create a ticket" for "Can you create a ticket?" */
export const asImperative = (task: string): string =>
  POLITE_START.test(task) ? task.replace(POLITE_START, "").replace(/\s*\?\s*$/u, "") : task;

/**
 * Removes from a task the reason at its end, such as ", because it is late". Also removes the word "now"
 * before a value, as in "is now 5".
 */
export const withoutAsides = (task: string): string => {
  const { safe, quotes } = withMarkedQuotes(task);
  return restore(safe.replace(EXPLANATION, "").replace(NOW, "").replace(COURTESY, " "), quotes);
};
/**
 * Matches a polite word after the verb with which a clause starts: "bitte" in "Trag bitte Lina als Kundin ein". Elsewhere
 * it may belong to a text that is typed: "Write could you please call me".
 */
const COURTESY =
  /(?<=(?:^\s*|[,.;!?]\s+|\s(?:and|then|und|dann|et|puis|y|luego|e|poi)\s+)(?!(?:[Ww]rite|[Rr]eply|[Aa]nswer|[Pp]ost|[Cc]omment|[Ss]ay|[Tt]ype)\s)\p{L}+)\s(?:please|bitte|por\sfavor|per\sfavore|per\spiacere|s['’]il\ste\spla[iî]t|s['’]il\svous\spla[iî]t)\s(?=\p{L}|⟦)/gu;

/**
 * Replaces each run of spaces outside of quotation marks by one space. The patterns of the planner need
 * seconds for a text with a thousand spaces in a row.
 */
export function singleSpaced(task: string): string {
  const { safe, quotes } = withMarkedQuotes(task);
  return restore(safe.replace(/[^\S\n]+/gu, " "), quotes);
}

/**
 * Matches the field "name" after another field of a new thing. It starts no imperative: "Add a user with login name
 * olga, name Olga Ek".
 */
const FIELD_NAME =
  /^(\s*(?:please\s+)?(?:[Cc]reate|[Aa]dd|[Rr]egister|[Nn]ew|[Ii]nvite)\s[^,;.]*\swith\s[^;]*?),\s+(?:and\s+)?name\s+(?=\p{Lu}|⟦)/u;

/** Returns the imperatives of a task in order, without words such as "please". Quoted text is never split. */
export function partsOf(task: string, most: number): readonly string[] {
  const { safe: marked, quotes } = withMarkedQuotes(task);
  const safe = marked.replace(FIELD_NAME, "$1 and the name ");
  const pieces = safe.replace(EXPLANATION, "").replace(NOW, "").replace(COURTESY, " ").split(SPLIT);
  // A question such as "Anything new?" needs no step if an imperative follows it.
  const stated = pieces.filter((piece, at) => {
    const isQuestion = safe.includes(`${piece}?`) && !POLITE.test(piece);
    return !(isQuestion && at < pieces.length - 1 && !FIRST_VERB.test(piece) && !ASKS.test(piece));
  });
  const parts = stated
    .map((part) => part.replace(/[\s.!?,;:]+$/u, "").trim())
    .map((part) =>
      part
        .replace(POLITE, "")
        .replace(TYPES_TEXT.test(part) ? POLITE_END : TRAILING, "")
        .replace(/[\s.!?,;]+$/u, "")
        .trim(),
    )
    .map((part) => part.replace(HEADLINE, ""))
    .map((part) => restore(part, quotes))
    .filter((part) => WORD.test(part));
  return withPlaces(parts).slice(0, most);
}

/** Matches a question before an order: "¿Cuánto cuesta?" in "¿Cuánto cuesta? Abre las tarifas". */
const QUESTION_BEFORE = /^[^?]*\?\s+(?=\S)/u;

/** Returns a task without a question before its order: "Abre las tarifas" for "¿Cuánto cuesta? Abre las tarifas". */
export const withoutQuestionBefore = (task: string): string => task.replace(QUESTION_BEFORE, "");

/** Returns the text between the first pair of quotes; the complete text if it has no quotes. */
export function unquoted(text: string): string {
  const found = new RegExp(QUOTED.source, "u").exec(text.trim());
  const inner = found?.slice(1).find((one) => one !== undefined);
  return (inner ?? text).trim();
}

/** Returns all quoted texts, without their quotes. */
export function quotedIn(text: string): readonly string[] {
  return [...text.matchAll(QUOTED)].flatMap((found) => found.slice(1).find((one) => one !== undefined) ?? []);
}

/** Returns the text with each quoted text, including its quotes, replaced by the result of a function. */
export const replaceQuotes = (text: string, replaced: (quote: string) => string): string =>
  text.replace(QUOTED, (quote) => replaced(quote));

/** Returns the text with a space in place of each quoted text. */
export const withoutQuotes = (text: string): string => text.replace(QUOTED, " ");

export function isQuoted(text: string): boolean {
  return new RegExp(`^(?:${QUOTED.source})$`, "u").test(text.trim());
}

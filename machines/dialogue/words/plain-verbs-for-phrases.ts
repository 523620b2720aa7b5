/**
 * Replaces idioms by a plain verb: "get rid of Anna" becomes "delete Anna". The idioms are in the same
 * languages as the words in `risk-words.ts`.
 */

/**
 * Matches a request for a discount, such as "Take 10% off the price". Its "take off" does not mean "remove".
 */
const DISCOUNT =
  /^(?:take|give\s+(?:them|him|her|us|me|it|(?:the|this|my)\s+\p{L}+))\s+(?:another\s+)?(\p{Sc}\s?\d[\d.,]*|\d[\d.,]*(?:\s?(?:%|\p{Sc}|percent|euros?|dollars?|pounds?)))(?![\p{L}\d])\s+off\b.*$/iu;
/**
 * Matches an imperative for time without work, such as "Take the day off", in which "take … off" does not
 * mean "remove".
 */
const TIME_OFF =
  /^take\s+((?:(?:the|a|an|my|this|next|whole|full|half|some|another|all|of)\s+)*(?:\d[\d.,:]*|one|two|three|four|five|six|seven|eight|nine|ten|(?:holi)?days?|nights?|weeks?|weekend|months?|years?|hours?|minutes?|mornings?|afternoons?|evenings?|time|today|tomorrow|(?:mon|tues|wednes|thurs|fri|satur|sun)days?)(?![\p{L}\d])(?:\s+.+?)?)\s+off\b/iu;

/**
 * Patterns of idioms with their replacements: "get rid of" becomes "delete". The first pattern that matches
 * is used.
 */
const PHRASES: readonly (readonly [RegExp, string])[] = [
  [/^get\s+rid\s+of\s+/iu, "delete "],
  [/^call\s+off\s+/iu, "cancel "],
  [/^put\s+(.+?)\s+on\s+hold$/iu, "pause $1"],
  [/^put\s+(.+?)\s+in\s+as\s+/iu, "enter $1 as "],
  [/^narrow\s+(?:(?:it|the\s+\p{L}+)\s+)?down\s+to\s+/iu, "search for "],
  [/^call\s+(.+?)\s+off$/iu, "cancel $1"],
  [/^sage?\s+(.+?)\s+ab$/iu, "cancel $1"],
  [/^take\s+(.+?)\s+back$|^take\s+back\s+(.+)$/iu, "withdraw $1$2"],
  [/^retire[rz]?\s+((?:ma|la|cette|sa|notre)\s+(?:demande|candidature|offre)\b.*)$/iu, "withdraw $1"],
  [/^throw\s+(.+?)\s+out\s+of\s+(.+)$/iu, "remove $1 from $2"],
  [/^leave\s+out\s+|^leave\s+(.+?)\s+out$/iu, "skip $1"],
  [/^(?:when|where)\s+(?:are|is)\s+((?:the|my|our)\s+\p{L}+(?:\s+\p{L}+)?)$/iu, "show $1"],
  [/^(?:pasa|mueve)\s+(.+?)\s+a\s+otra\s+hora$/iu, "cambiar hora de $1"],
  [
    /^(?:ve|vete|vaya|vamos|ir|ll[eé]vame)\s+al?\s+(?!\p{L}+[aei]r(?=\s|$))(?:la\s+(?:p[aá]gina|secci[oó]n)\s+(?:de\s+)?)?/iu,
    "abre ",
  ],
  [
    /^(?:va|vas|allez|aller|emm[eè]ne-moi)\s+(?:[aà]|aux?|sur|vers|dans)\s+(?:la\s+(?:page|section)\s+(?:de\s+)?)?/iu,
    "ouvre ",
  ],
  [/^passe[rz]?\s+(?:la|ma|cette)\s+commande$/iu, "place order"],
  [/^add\s+(.+?)\s+as\s+(?:an?\s+|the\s+)?attachment$/iu, "attach $1"],
  [/^(?:vuelve\s+a\s+enviar|reenvía|renvoie[rz]?)\s+|^send\s+(?=.*\s(?:again|once\s+more)$)/iu, "resend "],
  [/^(?:show|display)\s+(?:me\s+)?(?:just|only)\s+/iu, "only "],
  [/^show\s+(?:me\s+)?what\s+(?:i|we)(?:['’]ve|\s+have)\s+(\p{L}+)$/iu, "show $1"],
  [/^apúntame\s+(?:a|en)\s+|^melde?\s+mich\s+(?:zu[mr]?|für)\s+(?=.*\san$)/iu, "reserve "],
  [/^(?:inscris|inscrivez)-moi\s+(?:à|au|aux|pour)\s+/iu, "reserve "],
  [/^hake?\s+(.+?)\s+(?:ab|an)$/iu, "tick $1"],
  [
    /^(?:go|carry|move)\s+on$|^keep\s+going$|^proceed$|^mache?\s+weiter$|^continue[rz]?$|^continúa$|^sigue$|^continua$|^prosegui$|^vai\s+avanti$/iu,
    "click next",
  ],
  [/^(?:stelle?|wechsle)\s+auf\s+(.+?)(?:\s+um)?$/iu, "select $1"],
  [/^löse?\s+(.+?)\s+ein$/iu, "einlösen $1"],
  [/^(?:trage?|gib|setze?)\s+(.+?)\s+als\s+(?:den\s+|die\s+|das\s+)?(.+?)\s+ein$/iu, "enter $1 as $2"],
  [/^(env[ií]a|gu[aá]rda|b[oó]rra|elim[ií]na|publ[ií]ca|p[aá]ga|canc[eé]la|an[uú]la)l[ao]s?$/iu, "$1 lo"],
  [
    /^(?:i|we)(?:['’]d\s+like|\s+(?:want|need|would\s+like))\s+(?:.+?)\s+as\s+(?:an?\s+)?(csv|pdf|excel|xlsx?|spreadsheet|json|xml|png)(?:\s+file)?$/iu,
    "download as $1",
  ],
  [
    /^(?:give|grant|gib)\s+(\S+@\S+?)\s+(?:access|zugriff)(?:\s+to\s+(?:this|the|my|our)\s+\p{L}+)?(?=[\s,.!]|$)/iu,
    "invite $1",
  ],
  [/^hand\s+(.+?)\s+over(?:\s+to\s.+)?$/iu, "transfer $1"],
  [/^give\s+(.+?)\s+(?:their|his|her|its|the)\s+money\s+back$/iu, "refund $1"],
  [/^check\s*out$/iu, "checkout"],
  [/^check\s+((?:everything|all|it|them|this)(?:\s.+?)?)\s+(?:again|once\s+more)$/iu, "recheck $1"],
  [/^make\s+(?:me\s+)?a\s+(?:copy|duplicate)\s+of\s+/iu, "copy "],
  [
    /^(?:with\s+)?(?:the\s+)?((?:most\s+expensive|most\s+recent|best\s+rated|\p{L}+est))\s+(?:ones\s+)?(?:first|on\s+top)$/iu,
    "sort by $1",
  ],
  [/^(?:die\s+|das\s+|den\s+)?(\p{L}+ste[nrs]?)\s+(?:\p{L}+\s+)?zuerst$/iu, "sort by $1"],
  [/^zieh(?:e)?\s+(.+?)\s+zurück$/iu, "withdraw $1"],
  [/^leg(?:e)?\s+(.+?)\s+in\s+den\s+papierkorb$/iu, "trash $1"],
  [/^check\s+in\s+(?!the\b|this\b|my\b|an?\b)(?=\S)/iu, "checkin "],
  [/^(?:the\s+)?(next|previous|last)\s+(?:day|week|month|year)$/iu, "click $1"],
  [/^(?:jump|skip|go)\s+back\s+(.+?\s+seconds?)$/iu, "click back $1"],
  [/^(?:jump|skip|go)\s+(?:ahead|forward)\s+(.+?\s+seconds?)$/iu, "click forward $1"],
  [/^(\p{L}+)\s+first$/iu, "sort by $1"],
  [
    /^(.+)\s+(löschen|entfernen|öffnen|anzeigen|speichern|bearbeiten|hinzufügen|drucken|herunterladen|schließen|stornieren|kündigen|senden|teilen|archivieren|kopieren|aktivieren|deaktivieren|umbenennen|starten|stoppen|sperren)$/iu,
    "$2 $1",
  ],
  [/^brich\s+(.+?)\s+ab$/iu, "cancel $1"],
  [/^(?:deja|dejad|dejen)\s+de\s+|^(?:arrête|cesse)[rz]?\s+de\s+/iu, "stop "],
  [/^hör(?:e)?\s+auf,?\s+(.+)\s+zu\s+(\p{L}+)$/iu, "stop $2 $1"],
  [/^(?:sign|register)\s+(?:me|us)\s+up(?=$|\s)/iu, "register"],
  [/^get\s+me\s+out(?=$|\s)/iu, "leave"],
  [/^start\s+(.+?)\s+(?:all\s+)?over(?:\s+again)?$/iu, "reset $1"],
  [/^(?:one|a)\s+(?:day|week|month|year)\s+(?:back|earlier)$/iu, "click previous"],
  [/^(?:one|a)\s+(?:day|week|month|year)\s+(?:forward|ahead|later|on)$/iu, "click next"],
  [/^thumbs[\s-]up\s+(?:for|to)\s+/iu, "like "],
  [/^send\s+(.+?)\s+an?\s+(?:e-?mail|message|note)$/iu, "message $1"],
  [
    /^(?:tell|message|inform|notify)\s+(?!me\b|us\b)((?:\S+\s+){0,3}?\S+)\s+that\s+([^"“„«]+)$/iu,
    'tell $1 "$2"',
  ],
  [/^call\s+me\s+(?=\p{Lu})/iu, "my name is "],
  [/^(?:kick|chuck)\s+out\s+/iu, "remove "],
  [DISCOUNT, "set the discount to $1"],
  [TIME_OFF, "request time off for $1"],
  [/^(?:take|kick|chuck)\s+(.+?)\s+(?:out|off)(?:\s+(?:of|from)\s.+|\s+the\s.+)?$/iu, "remove $1"],
  [
    /^(?!(?:let|tell|ask|say|write|inform)\s)((?:\S+\s+){0,2}\S+)\s+(?:can|may)\s+(?:now\s+)?come\s+in$|^fai(?:s|tes)\s+entrer\s+(.+)$/iu,
    "call in $1$2",
  ],
  [/^bring\s+in\s+/iu, "import "],
  [
    /^(?:(?:only|just)\s+)?(?:keep|save|store|leave)\s+(?:it|this|that|them)\s+for\s+later$/iu,
    "save for later",
  ],
  [
    /^(?:(?:only|just)\s+)?(?:keep|save|leave|store)\s+(?:it|this|that|them)\s+as\s+an?\s+draft$/iu,
    "save draft",
  ],
  [/^(?:forget|drop)\s+(?=(?:my|the|all|these)\s+(?:\p{L}+\s+)?changes$)/iu, "discard "],
  [/^mark\s+(.+?)\s+with\s+an?\s+(star|flag|heart|pin)$/iu, "$2 $1"],
  [/^put\s+(.+?)\s+in(?:to)?\s+the\s+archive$/iu, "archive $1"],
  [/^throw\s+(?:away|out)\s+/iu, "delete "],
  [/^throw\s+(.+?)\s+(?:away|out|in(?:to)?\s+the\s+(?:bin|trash))$/iu, "delete $1"],
  [/^bin\s+(?=\p{L})/iu, "delete "],
  [/^(?:sign|log)\s+me\s+(?:out|off)(?=$|\s)/iu, "sign out"],
  [/^(?:sign|log)\s+me\s+(?:in|on)(?=$|\s)/iu, "sign in"],
  [/^proceed\s+to\s+/iu, "go to "],
  [/^(?:complete|confirm|finish)\s+(?:the|my)\s+(?:purchase|order)$/iu, "place order"],
  [/^(?:write|compose)\s+(?:an?\s+)?new\s+(?:e-?mail|mail|message)$/iu, "click compose"],
  [/^(?:write|compose)\s+an?\s+(e-?mail|mail|message)\s+to\s+/iu, "click $1 for "],
  [/^send\s+(.+?)\s+an?\s+(?:connection|friend|contact)\s+(?:request|invitation)$/iu, "invite $1"],
  [/^ask\s+(.+?)\s+to\s+join\s.+$/iu, "invite $1"],
  [/^(?:envía|manda)\s+una\s+invitación\s+a\s+/iu, "invita "],
  [/^subscribe\s+me\s+to\s+/iu, "subscribe "],
  [/^abonne-moi\s+(?:à|au)\s+(?:l['’]|la\s+|le\s+)?(?:offre\s+)?/iu, "subscribe "],
  [/^kauf(?:e)?\s+(?:mir\s+)?/iu, "buy "],
  [/^replace\s+(.+?)\s+with\s+/iu, "set $1 to "],
  [
    /^(?:benenne?|renomme[rz]?|renombra|rinomina|cambia\s+el\s+nombre\s+del?|cambia\s+il\s+nome\s+d(?:i|el(?:la)?))\s+(.+?)\s+(?:in|en|a|por)\s+(.+?)(?:\s+um)?$/iu,
    "rename $1 to $2",
  ],
  [/^melde\s+mich\s+ab$/iu, "sign out"],
  [/^wirf\s+(.+?)\s+(?:weg|raus|aus\s.+)$/iu, "lösche $1"],
  [/^(.+?)\s+(?:kann\s+weg|soll\s+(?:weg|verschwinden))$/iu, "lösche $1"],
  [/^nimm\s+(.+?)\s+(?:wieder\s+)?(?:raus|aus\s.+)$/iu, "entferne $1"],
  [/^wähle\s+(.+?)\s+aus$/iu, "wähle $1"],
  [/^(?:trage?|gib|tippe?|setze?)\s+(.+?)\s+ein$/iu, "enter $1"],
  [/^(?:mets|indique|écris)\s+(.+?)\s+comme\s+/iu, "enter $1 as "],
  [/^i\s+(?:do\s+not|don['’]t)\s+(?:want|need)\s+(.+?)\s+any\s*(?:more|longer)$/iu, "delete $1"],
  [/^retire\s+(.+?)\s+(?:du|de\s+la)\s+(?:panier|liste)$/iu, "supprime $1"],
  [
    /^(?:in|on)\s+(?:the\s+)?(.+?),?\s+(mark|tick|check|untick|uncheck)\s+(.+?)(?:\s+as\s+done)?$/iu,
    "$2 $3 in $1",
  ],
  [/^mark\s+(.+?)\s+as\s+(?:done|complete|completed|finished)$/iu, "tick $1"],
  [/^lade\s+(.+?)(?:\s+zu\s.+)?\s+ein$/iu, "einladen $1"],
  [/^schicke?\s+(.+?)\s+ab$/iu, "sende $1"],
  [/^(?:.+\s)?(?:bestellung)\s+.*(?:abschicken|absenden|aufgeben)$/iu, "place order"],
  [/^(.+?)\s+(?:abschicken|absenden)$/iu, "sende $1"],
  [/^débarrasse-moi\s+d(?:e\s+|['’])/iu, "supprime "],
  [/^fais\s+disparaître\s+/iu, "supprime "],
  [/^déconnecte-moi$/iu, "sign out"],
  [/^cierra\s+(?:mi\s+|la\s+)?sesión$/iu, "sign out"],
  [/^(?:confirma|completa|finaliza)\s+(?:la|mi)\s+compra$/iu, "place order"],
  [/^show\s+(?:one|a)\s+(day|week|month|year)\s+at\s+a\s+time$/iu, "click $1"],
  [/^go\s+back\s+(?:one|a)\s+(?:day|week|month|year)$/iu, "click previous"],
  [/^go\s+(?:forward|on)\s+(?:one|a)\s+(?:day|week|month|year)$/iu, "click next"],
  [/^(?:in|from)\s+the\s+(.+?)\s+(?:pick|choose|select)\s+(.+)$/iu, "select $2 in $1"],
  [/^empty\s+((?:the|this)\s+(?:.+\s)?form)(?:\s+again)?$/iu, "reset $1"],
  [/^what\s+(?:landed|is|came)\s+in\s+/iu, "open "],
  [/^(?:write|send)\s+(?:someone|somebody)\s+an?\s+(?:e-?mail|mail|message)$/iu, "click compose"],
  [
    /^(?:find|search\s+for|show)\s+(?:me\s+)?(?:the\s+|all\s+)*(\p{L}+)\s+(?:that\s+)?(?:mention|contain)(?:ing)?\s+(?:the\s+word\s+)?(.+)$/iu,
    "search $1 for $2",
  ],
  [/^put\s+an?\s+(star|like|pin)\s+on\s+/iu, "$1 "],
  [/^put\s+(.+?)\s+away$|^put\s+away\s+(.+)$/iu, "collapse $1$2"],
  [/^unfold\s+/iu, "expand "],
  [/^fold(?:\s+up)?\s+/iu, "collapse "],
  [/^(?:flip|turn|page)\s+(.+?)\s+to\s+the\s+(next|previous)\s+(\p{L}+)$/iu, "click $2 in $1"],
  [/^(turn|switch)\s+(?!on\b|off\b)(.+?)\s+(on|off)(?=\s|$)/iu, "$1 $3 $2"],
  [/^(?:show|display|have|get|give)\s+(?:me\s+)?(.+?)\s+as\s+(?:an?\s+|the\s+)?(.+)$/iu, "show $2 of $1"],
  [/^give\s+(?:a\s+)?(?:thumbs[\s-]up|like)\s+to\s+/iu, "like "],
  [/^write\s+to\s+(?!\S+@)([^"“„«']+)$/iu, "message $1"],
  [/^write\s+back(?:\s+to)?\s+|^get\s+back\s+to\s+/iu, "reply to "],
  [
    /^(?:add|ajoute[rz]?|añade|agrega)\s+(.+?)\s+(?:to|à|a)\s+(?:my|mes|mis)\s+(?:contacts|friends|amis|contactos|amigos)$/iu,
    "invite $1",
  ],
  [/^(?:set|put)\s+up\s+/iu, "create "],
  [/^(?:begleiche|règle|abona|settle)\s+/iu, "pay "],
  [/^manda\s+(.+?)(?:\s+ya)?$/iu, "envía $1"],
  [/^(salva|elimina|invia|manda|cancella|annulla|apri|chiudi|conferma|pubblica|stampa)l[oaie]$/iu, "$1 lo"],
  [
    /^(?:cerca|trova|ricerca)(?:mi)?\s+(.+?)\s+(?:nei|nel|nella|nelle|tra\s+(?:i|le|gli)|fra\s+(?:i|le|gli))\s+(.+)$/iu,
    "search $2 for $1",
  ],
  [/^(?:cerca|ricerca)(?:re|mi)?\s+(?=\p{L}|["“„«'⟦\d\uE000])/iu, "search for "],
  [/^(?:accendi|attiva)\s+/iu, "turn on "],
  [/^(?:spegni|disattiva)\s+/iu, "turn off "],
  [/^(?:spunta|seleziona\s+la\s+casella)\s+/iu, "tick "],
  [/^(?:deseleziona|togli\s+la\s+spunta\s+(?:a|da))\s+/iu, "untick "],
  [/^ordina\s+per\s+/iu, "sort by "],
  [
    /^(?:imposta|metti|(?:cambia|modifica)(?=\s+(?:(?:il|lo|gli|le)\s|l['’])))\s+(.+?)\s+(?:a|su)\s+(?=\S)/iu,
    "set $1 to ",
  ],
  [/^(?:scrivi|inserisci|digita)\s+(.+?)\s+(?:come|nel\s+campo|nella\s+casella)\s+/iu, "enter $1 as "],
  [/^(?:esci|disconnetti(?:mi)?)$/iu, "sign out"],
];

export function plainPhrase(part: string): string {
  const [pattern, plain] = PHRASES.find(([one]) => one.test(part)) ?? [];
  return pattern && plain !== undefined ? part.replace(pattern, plain) : part;
}

/**
 * Words of actions that cannot be undone or that reach other people: deleting, paying, sending, publishing,
 * inviting, changing access. The languages are those of the interfaces on which Cairn was measured.
 */

/** Beginnings of words that indicate a high risk, such as "delet", in lower case. */
const HIGH_RISK: readonly string[] = [
  // High-risk words in English
  "delet",
  "remov",
  "eras",
  "destroy",
  "wipe",
  "pay",
  "purchas",
  "buy",
  "checkout",
  "order now",
  "place order",
  "send",
  "transmit",
  "broadcast ",
  "publish",
  "invit",
  "transfer",
  "unsubscrib",
  "deactivat",
  "terminat",
  "revok",
  "reset password",
  "change password",
  "submit payment",
  "log out",
  "logout",
  "sign out",
  "share ",
  "tweet",
  "trash",
  "bin ",
  "dustbin",
  "wastebasket",
  "waste basket",
  "throw",
  "get rid",
  "discard",
  "purg",
  "signout",
  "log off",
  "sign off",
  "log me out",
  "sign me out",
  "subscrib",
  "donat",
  "refund",
  "withdraw",
  "ban ",
  "kick ",
  "suspend ",
  "post ",
  "go live",
  "make public",
  "deploy",
  "contact request",
  "friend request",
  "connection request",
  "connect me",
  "connect with",
  "to my contacts",
  "settle ",
  "call off ",
  "book now",
  "confirm booking",
  "confirm reservation",
  "block ",
  "reject ",
  "factory reset",
  "report as ",
  "report abuse",
  "deliver ",
  "dispatch ",
  "hand over ",
  "sell ",
  "enrol ",
  "enroll ",
  // High-risk words in German
  "lösch",
  "entfern",
  "bezahl",
  "kaufen",
  "kauf ",
  "bestellen",
  "zahlungspflichtig",
  "senden",
  "versenden",
  "veröffentlich",
  "einlad",
  "überweis",
  "kündig",
  "abmelden",
  "teilen ",
  "teile ",
  "deaktivier",
  "schick",
  "abschick",
  "verschick",
  "sende",
  "absend",
  "absende",
  "wirf",
  "wegwerf",
  "papierkorb",
  "kostenpflichtig",
  "abonnier",
  "melde mich ab",
  "widerruf",
  "vernetz",
  "verbinde mich",
  "kontaktanfrage",
  "freundschaftsanfrage",
  "meinen kontakten",
  "begleich",
  "wegwirf",
  "schmeiß",
  "stornier",
  "einreichen ",
  "sperre ",
  "sperren ",
  "werkseinstellung",
  "ausliefern ",
  "liefere ",
  "verkaufe ",
  "verkaufen ",
  "absetzen ",
  "zubuchen ",
  "dazubuchen ",
  // High-risk words in French
  "transmet",
  "supprim",
  "effac",
  "payer",
  "acheter",
  "commander",
  "envoy",
  "publier",
  "inviter",
  "résili",
  "déconnex",
  "partag",
  "désactiv",
  "révoqu",
  "retir",
  "enlev",
  "enlèv",
  "débarrass",
  "fais disparaître",
  "corbeille",
  "achète",
  "abonne",
  "passe la commande",
  "mes contacts",
  "connecte moi",
  "demande de contact",
  "désinscri",
  "désabonn",
  "règle la ",
  "bloque ",
  "bloquer ",
  "règle le ",
  "régler",
  "jette",
  "livrer ",
  "livrez ",
  "vendre ",
  "vends ",
  // High-risk words in Spanish
  "elimin",
  "borrar",
  "pagar",
  "comprar",
  "enviar",
  "publicar",
  "invitar",
  "cancelar cuenta",
  "cerrar sesión",
  "compart",
  "desactiv",
  "revoc",
  "envía",
  "envia ",
  "manda",
  "borra",
  "quita",
  "papelera",
  "paga ",
  "págalo",
  "compra",
  "contrata",
  "suscri",
  "cierra sesión",
  "cierra mi sesión",
  "mis contactos",
  "conéctame",
  "solicitud de ",
  "abona ",
  "bloquea ",
  "bloquear ",
  "rechaza ",
  "abonar",
  "tira ",
  "entregar ",
  "vender ",
  "vende ",
  "dar de baja",
  "darme de baja",
  "darse de baja",
  "dame de baja",
  // High-risk words in Italian, but not "ordina", which also means to sort
  "cancella ",
  "cancellare ",
  "cancellalo ",
  "rimuov",
  "svuota ",
  "acquista ",
  "acquistare ",
  "ordina ora ",
  "ordina adesso ",
  "invia ",
  "inviare ",
  "invialo ",
  "inviala ",
  "spedisci",
  "spedire ",
  "pubblica ",
  "pubblicare ",
  "invita ",
  "condivid",
  "trasferisci ",
  "trasferire ",
  "disdici ",
  "disdire ",
  "disattiva",
  "disconnett",
  "disiscri",
  "abbonati ",
  "blocca ",
  "bloccare ",
  "rifiuta ",
  "rifiutare ",
  "butta ",
  "vendi ",
  "vendere ",
  // High-risk words in Portuguese
  "exclui",
  "apagar ",
  "apaga ",
  "convida",
  "compartilh",
  "partilha",
  "desativ",
  "descart",
  "bloqueia ",
  "terminar sessão",
  // High-risk words in Dutch
  "verwijder",
  "betaal ",
  "betalen ",
  "afrekenen ",
  "koop ",
  "kopen ",
  "bestel ",
  "verstuur",
  "versturen ",
  "verzend ",
  "verzenden ",
  "publiceer ",
  "publiceren ",
  "uitnodigen ",
  "delen ",
  "overmaken ",
  "opzeggen ",
  "deactiveer",
  "deactiveren ",
  "blokkeer ",
  "blokkeren ",
  "uitloggen ",
];

/** Maximum number of words between the verb and the object of `eitherOrder`. */
const MOST_BETWEEN = 2;

/**
 * Returns a pattern for a verb and an object in either order ("Cancel the booking", "Buchung stornieren"),
 * with other words between them. A text with only one of the two does not match, because it is harmless.
 */
function eitherOrder(verbs: string, objects: string): RegExp {
  const gap = `(?: \\S+){0,${MOST_BETWEEN}}`;
  return new RegExp(` (?:(?:${verbs})${gap} (?:${objects})|(?:${objects})${gap} (?:${verbs})) `);
}

/** Matches the closing of an account. "Close" alone closes a dialog, and "My account" is a screen. */
const CLOSES_ACCOUNT = eitherOrder(
  "close|cancel|end|terminate|schließen|schliessen|auflösen|fermer|clôturer|clore|cerrar|cancelar|cierra|" +
    "chiudi|chiudere|encerrar|opheffen",
  "account|konto|benutzerkonto|compte|cuenta|conto|conta|rekening",
);

/**
 * Matches the cancelling of something that was booked, ordered or agreed, such as "cancel the order". The
 * word "cancel" alone is no match, because it closes a form.
 */
const CANCELS_BOOKING = eitherOrder(
  "cancel|absagen|sage|brich|abbrechen|annuler|annule|cancelar|cancela|anular|anula|annulla|annullare|annuleer|annuleren",
  "orders?|bookings?|reservations?|appointments?|subscriptions?|memberships?|flights?|trips?|table|buchung|" +
    "bestellung|reservierung|termin|abo|tisch|commande|réservation|rendez|abonnement|pedido|reserva|cita|" +
    "suscripción|mesa|applications?|contracts?|antrag|bewerbung|vertrag|candidature|contrat|contrato|" +
    "shipments?|deliver(?:y|ies)|transfers?|meetings?|events?|visits?|sendung|lieferung|besuch|treffen|" +
    "livraison|envoi|réunion|visite|envío|entrega|reunión|visita|evento|ordine|prenotazione|appuntamento|" +
    "abbonamento|viaggio|contratto|spedizione|riunione|encomenda|viagem|bestelling|reservering|afspraak|boeking",
);
/**
 * Matches an instruction to send something by e-mail: "E-mail the bill", "Mail it to Ada", "Email invoice". An
 * "E-mail address" does not match.
 */
const MAILS =
  / (?:e ?mail|mail)(?: (?:me|him|her|them|us|everyone|customer|client))? (?:the|this|that|it|them|my|our|all|a|an|bill|invoice|receipt|quote|statement|copy) /;
/**
 * Matches the booking of a service that another person then carries out and bills: "Book shipment", "Flug buchen". The
 * word "book" alone may be a noun.
 */
const BOOKS_SERVICE = eitherOrder(
  "book|buchen?|réserver|réserve|reservar|reserva|contratar",
  "shipments?|couriers?|pickups?|deliver(?:y|ies)|transfers?|flights?|trips?|tours?|cruises?|hotels?|taxis?|rides?|" +
    "sendung|abholung|lieferung|flug|reise|fahrt|livraison|enlèvement|vol|voyage|trajet|envío|recogida|vuelo|viaje",
);
/**
 * Matches words that close or end a thing for other people too, such as "Close the ticket" and "Sitzung
 * beenden". Does not match "Close", which only closes a dialog, or "Closed tickets", which shows a list.
 */
const CLOSES_FOR_OTHERS = closingForOthers();
function closingForOthers(): RegExp {
  const all =
    "tickets?|cases?|issues?|incidents?|claims?|polls?|votes?|surveys?|meetings?|calls?|auctions?|elections?";
  const inOrder = (verbs: string, objects: string) => ` (?:${verbs})(?: \\S+){0,2} (?:${all}|${objects}) `;
  const patterns = [
    // The verb must come before its object, as in "end the trip". In the other order, "Meeting end" names a
    // field, and the French verb "termine" would match the German noun "Termine" (appointments). "End date"
    // also names a field, so it is excluded.
    inOrder(
      "close|end(?! (?:date|time|of) )",
      "registration|enrol?lment|trips?|rides?|rentals?|leases?|tenanc(?:y|ies)",
    ),
    inOrder("fermer|ferme|clôturer|clôture|terminer|termine", "sondage|réunion|inscriptions?"),
    inOrder("cerrar|cierra|finalizar|finaliza", "incidencia|encuesta|votación|reunión|inscripción"),
    eitherOrder(
      "schließen?|schließ|beende|beenden",
      `${all}|fall|fälle|umfrage|abstimmung|besprechung|sitzung|anmeldung`,
    ).source,
  ];
  return new RegExp(patterns.join("|"));
}
/**
 * Matches "garbage" as the name of a trash, into which a thing is thrown. The collection of waste or of unused memory
 * does not match.
 */
const GARBAGE = / garbage(?! (?:collect|dispos|calendar|schedule|service))/;
/** Matches an instruction to submit something binding, on which other people will rely. */
const SUBMITS_BINDING = eitherOrder(
  "submit|soumettre|soumets|presentar|presenta|apresentar|apresente|indienen|dien|einreichen|reiche?",
  "application|order|claim|bid|complaint|petition|requests?|reports?|proposal|candidature|commande|plainte|demande|" +
    "solicitud|pedido|queja|richiesta|reclamação|aanvraag|melding|klacht|bezwaar|offerte|voorstel|antrag|bericht|" +
    "beschwerde|angebot|schadensmeldung|reisekosten",
);
/**
 * Matches an instruction to sign a document, which binds the person: "Sign the lease", "Firma il contratto",
 * "Unterschreiben". "Sign in" and "Sign up" do not match, and "Firma" alone does not, because it is German
 * for a company.
 */
const SIGNS =
  /^ (?:sign|sign now|signer|firmar|firmare) $| (?:sign (?:the|this|that|it|all|my|our|a|an|document|contract|agreement)|(?:signe[rz]?|firma|firmar|firmare|firmi) (?:le|la|les|l|ce|cet|cette|mon|ma|il|lo|el|un|una|une|este|esta|questo|questa)|unterschreib\S*|unterzeichn\S*|ondertekene?n?|assinar|assine) /;
/**
 * Matches an instruction to rent something: "Rent it", "Rent for £3.50", "Fahrrad mieten". "Rent" alone may name a
 * field.
 */
const RENTS =
  / (?:(?:rent|hire|lease) (?:it|this|that|these|the|a|an|for|now|out) |(?:mieten|miete (?:das|die|den|ein|eine|einen)|louer|alquilar|alquila|noleggiare|noleggia|alugar|alugue|huren)(?: |$))/;
/**
 * Matches an instruction to refuse a person or the request of a person: "Turn the visitor away", "Deny",
 * "Antrag ablehnen". "Turn down the volume" does not match.
 */
const REFUSES =
  / (?:turn(?: \S+){0,3} away|turn(?: \S+){0,2} down(?: \S+){0,2} (?:offer|request|application|applicant|invitation|candidate|visitor)|deny|decline (?:the|this|that|it|him|her|them|\S+ s )|ablehnen|abweisen|lehne?(?: \S+){1,4} ab|weise?(?: \S+){1,4} ab|refuser|refuse[rz]? (?:le|la|les|l|cette|ce)|rechazar|recusar|weiger(?:en)?|afwijzen|wijs(?: \S+){1,4} af) /;
/** Matches an offer that binds the person who makes it: "Place bid", "Bid now", "Gebot abgeben". */
const BIDS =
  / (?:(?:place|make|submit|raise)(?: \S+){0,2} bid|bid (?:now|on)|gebot abgeben|(?:bieten|biete) |enchérir|pujar|hacer una oferta|bieden|bod (?:plaatsen|doen)) /;
/** Matches an instruction that alerts people or moves them: "Raise the alarm", "Call a taxi", "Evacuate the hall". */
const ALERTS =
  / (?:(?:raise|sound|trigger|set off)(?: \S+){0,2} alarm|evacuate|call (?:a|an|the|my)(?: \S+){0,1} (?:taxi|cab|driver|doctor|nurse|ambulance|police|engineer|technician|guard)|alarm auslösen|evakuier\S*|déclenche[rz]?(?: \S+){0,2} alarme|évacue[rz]?|activar(?: \S+){0,2} alarma|evacuar|evacua) /;

/**
 * Matches an instruction to load money onto a card or an account, such as "Top up now" and "Guthaben
 * aufladen".
 */
const TOPS_UP = / (?:top up|guthaben(?: \S+){0,3} (?:aufladen|auf)|ricarica(?:re)? (?:ora|il|la)) /;
/**
 * Matches an imperative to empty a container, such as "Empty the trash" or "Tabelle leeren". "Empty" alone
 * and "Empty list" do not match, because they may describe a state.
 */
const EMPTIES =
  / (?:(?:empty|leere|vide|vider|vacía|vaciar) (?:the|my|this|whole|entire|all|cart|basket|den|die|das|meinen?|meine|le|la|les|el|los|las|mon|ma|mi|tout|todo)|(?:tabelle|liste|ordner|korb|warenkorb) leeren) |^ (?:leeren|vider|vaciar) $/;

/**
 * Matches the ordering of goods: "Order for delivery", "Commande la livraison". It does not match sorting,
 * such as "Order the table by name".
 */
const ORDERS =
  /^ (?:order (?:for|it|them|this|these|the|my|our) (?!.* by )|(?:bestelle?|commande[rz]?|pide|pedir|encarga) (?:das|die|den|es|sie|alles|la|le|les|el|los|las|tout|todo) )/;
/**
 * Matches an instruction to register a person for something that others then plan with: "Sign Sami up for the
 * camp", "Buche 10 GB dazu". "Sign up" alone creates an account.
 */
const JOINS =
  / (?:(?:sign|put)(?: \S+){1,3} (?:up|down) for|melde?(?: \S+){1,4} an|buche?(?: \S+){1,4} (?:dazu|hinzu)|inscri(?:s|re|vez|be|bir)(?: \S+){0,3} (?:à|au|aux|pour|en|al|a|para)) /;
/**
 * Matches an instruction to leave a group of people: "Leave this workspace". The verb alone does not match,
 * because "leave" has other uses ("Leave a note").
 */
const LEAVES_GROUP =
  / (?:leav\S*|quit|verlass\S*|quitte[rz]?|abandona\S*|deja\S*|sal(?:ir|te|go)?)(?: \S+){0,2} (?:workspace|team|group|organi[sz]ation|company|community|channel|club|household|family|committee|arbeitsbereich|gruppe|organisation|firma|verein|kanal|espace|équipe|groupe|entreprise|communauté|canal|espacio|equipo|grupo|empresa|organización|comunidad) /;
/** Matches names of actions that take away a person's access, such as "Deactivate Ada's account". */
const REMOVES_ACCESS =
  / (?:deactivat|disabl|block|revok|suspend|lock|deaktivier|sperr|entzieh|désactiv|bloqu|révoqu|desactiv|revoc)\S*(?: \S+){0,4} (?:access|accounts?|logins?|users?|members?|zugang|zugriff|konto|benutzer|mitglied|accès|compte|membre|utilisateur|acceso|cuenta|usuario|miembro) /;
/**
 * Matches names of actions that give a person access, such as "Grant access" or "Zugriff erteilen". Only in
 * German may the verb follow the noun: in English, "the access log, and give me its size" gives no access.
 */
const GRANTS_ACCESS =
  / (?:grant|give|allow|authori[sz]e|erteilen?|gewähren?|gib|accorder?|donner?|autoriser?|conceder?|otorgar?|autorizar?)(?: \S+){0,4} (?:access|permissions?|rights|admin|zugang|zugriff|rechte|berechtigung|accès|droits|acceso|permisos?) | (?:zugang|zugriff|rechte|berechtigung)(?: \S+){0,4} (?:erteilen|gewähren|geben) /;
/** Things that may be stopped without consequences for other people, as in "Stop the timer". */
const HARMLESS_STOPS =
  "timer|stopwatch|clock|reading|recording|video|music|playback|slideshow|animation|preview|search|loading|editing";
/** Words before "stop" that make it a noun or an adjective: "Next stop: Bern", "Non-stop flights". */
const BEFORE_STOP_AS_NOUN =
  "next|last|first|previous|final|this|that|the|a|an|each|every|no|bus|train|tram|metro|pit|full|non|one";
/**
 * Matches an instruction to stop something that runs, such as a machine or a server: "Stop SA-04", "Shut the
 * plant down". The word "Stop" alone does not match, because it may be a noun.
 */
const STOPS_RUNNING = new RegExp(
  `(?<! (?:${BEFORE_STOP_AS_NOUN})) (?:stop|halt|stoppe|detén|detener|arrête|arrêter) ` +
    `(?!(?:\\S+ )?(?:${HARMLESS_STOPS}) |words? )\\S+ ` +
    "| (?:shut(?: \\S+){0,4} down|shutdown|herunterfahren|fahre?(?: \\S+){1,4} herunter) ",
);

/**
 * Matches an instruction to remind another person, which sends a message to that person: "Remind the customer".
 * "Remind me" only sets a reminder for oneself. A name such as "Reminder" does not match.
 */
const REMINDS =
  / (?:remind(?! me )|erinnere?(?! mich )|rappelle[rz]?(?! moi | me )|recuérda(?:le|les)|recuerda(?! me )) /;
/** Matches an instruction to take money from a person: "Charge the guest", "Cobra la cita". */
const CHARGES =
  / (?:charge(?: \S+){0,2} (?:card|customer|client|guest|patient|tenant|fee)|cobra(?:r|le|rle)?|encaisse[rz]?|kassiere?n?) /;

/**
 * Matches a text that only names a view, such as "Payment history" or "Open the dispatch board", and maybe the
 * number of its entries. The first word must be a noun. Words that are nouns and verbs ("dispatch") count only
 * before a view that cannot be dispatched, refunded or purchased. So "Delete history", "Share list" and "Purchase
 * list" do not match.
 */
const NAMES_VIEW = new RegExp(
  "^ (?:(?:open|show|view|see|visit|click|press|go|to|on|the|link|tab) )*" +
    "(?:(?:(?:payments?|payroll|deliver(?:y|ies)|withdrawals?|donations?|invitations?|subscri(?:ption|ber)s?|" +
    "deployments?|senders?) (?:board|list|history|settings|log|overview)|" +
    "(?:dispatch|refunds?|purchases?) (?:board|history|log|overview)|transfers? (?:history|log)) (?:\\d+ )?)+$",
);

/** Whether a text only names a view of the application, and no action. */
export const namesView = (text: string): boolean => NAMES_VIEW.test(plainWords(text));

/** Whether a text, such as the label of a checkbox, says that a person loses access. */
export const removesAccess = (text: string): boolean => REMOVES_ACCESS.test(plainWords(text));

/** Returns the words of a text in lower case, each between single spaces. */
export const plainWords = (text: string): string =>
  ` ${text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim()} `;

/** Whether a text names the closing of an account, such as "Close my account" or "Konto schließen". */
export function closesAccount(text: string): boolean {
  return CLOSES_ACCOUNT.test(plainWords(text));
}

/**
 * Whether a text names an action with a high risk. A risk word also matches longer words that begin with it:
 * "send" matches "sender".
 */
export function isHighRisk(text: string): boolean {
  const plain = plainWords(text);
  if (namesView(text)) return false;
  return (
    HIGH_RISK.some((word) => plain.includes(` ${word}`)) ||
    [
      CLOSES_ACCOUNT,
      CANCELS_BOOKING,
      CLOSES_FOR_OTHERS,
      GARBAGE,
      BOOKS_SERVICE,
      MAILS,
      SUBMITS_BINDING,
      SIGNS,
      TOPS_UP,
      RENTS,
      REFUSES,
      BIDS,
      ALERTS,
      EMPTIES,
      ORDERS,
      JOINS,
      LEAVES_GROUP,
      REMOVES_ACCESS,
      GRANTS_ACCESS,
      STOPS_RUNNING,
      REMINDS,
      CHARGES,
    ].some((order) => order.test(plain))
  );
}

/**
 * Normalises the words of tasks and of elements for comparison: removes case, accents, endings and filler
 * words.
 */

/** Filler words. They are ignored, because no element is named by them. */
export const FILLERS: ReadonlySet<string> = new Set(
  (
    "the a an my our your this its of to in on at for with and or please now just here new-line " +
    "button buttons link links field fields box input page pages tab menu item entry option icon " +
    "dropdown list checkbox switch toggle panel section screen card form area textbox " +
    "diese dieser dieses diesen dieser ce cette cet este esta another der die das den dem des ein eine einen einem mein meine dein deine seite bitte von fur mit auf zu " +
    "sie es lo vom im zum zur au aux al mich mir meinen meiner mes mis me " +
    "from about into it that which who whose ends ending named called is are was were has have i me you we them him her his their there " +
    "le la les l un une mon ma mes ton ta tes de du sur pour el los las una mi mis tu del para por"
  ).split(" "),
);

/**
 * Synonyms in user interfaces. Each line has one meaning, and a word may be in several lines. The words come
 * from the dashboards and forums on which Cairn was measured.
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
  "pay payment",
  "publish post",
  "cancel abort dismiss close",
  "profile account user",
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
  "compose write pencil new",
  "menu sidebar navigation hamburger bars",
  "copy duplicate clone",
  "filter narrow refine",
  "cart basket bag",
  "order purchase buy",
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
].map((line) => line.split(" "));

/**
 * English translations of words in German, French and Spanish interfaces. Both the words of pages and the
 * words of tasks are translated.
 */
const TRANSLATIONS: Readonly<Record<string, string>> = Object.fromEntries(
  [
    "delete losch losche loschen supprime supprimer supprimez efface effacer elimina eliminar borra borrar",
    "remove entferne entfernen enleve enlever retire retirer quita quitar",
    "edit bearbeite bearbeiten andere andern modifie modifier edita editar cambia cambiar",
    "add hinzufugen ajoute ajouter anade anadir",
    "create anlegen erstelle erstellen cree creer crea crear",
    "new neu neue neuen neuer nouveau nouvelle nuevo nueva",
    "save speichere speichern sichern enregistre enregistrer guarda guardar",
    "send sende senden schick schicke schicken abschicken absenden envoie envoyer envoyez envia enviar manda mandar",
    "pay bezahle bezahlen zahle zahlen paye payer payez paga pagar",
    "publish veroffentliche veroffentlichen publie publier publiez publica publicar",
    "cancel abbrechen annule annuler cancela cancelar",
    "close schliesse schliessen ferme fermer cierra cerrar",
    "signout abmelden deconnecte deconnecter deconnexion desconectar",
    "invite einladen lade invitez invita invitar",
    "account konto compte cuenta",
    "settings einstellungen parametres reglages ajustes configuracion",
    "user benutzer nutzer utilisateur usuario",
    "member mitglied membre miembro",
    "invoice rechnung facture factura",
    "message nachricht mensaje",
    "mail mails correo courriel",
    "form formular kontaktformular formulaire formulario",
    "contact kontakt contacto",
    "order bestellung commande pedido",
    "card karte carte tarjeta",
    "profile profil perfil",
    "password passwort kennwort contrasena",
    "deactivate deaktiviere deaktivieren desactive desactiver desactiva desactivar",
    "revoke widerrufe widerrufen revoque revoquer revoca revocar",
    "transfer ubertrage ubertragen transfere transferer transfiere transferir",
    "session sitzung sesion",
    "page seite pagina",
    "entry eintrag entree entrada",
    "subscribe abonniere abonnieren abonne abonner suscribe suscribir",
    "share teile teilen partage partager comparte compartir",
    "category kategorie categorie categoria",
    "trash jette jeter wirf tira",
    "pay begleiche begleichen regle regler reglez abona abonar liquida liquidar",
    "connect vernetze vernetzen verbinde verbinden connecte connecter conecta conectar",
    "reply antworte antworten reponds repondre repondez responde responder contesta contestar",
    "post beitrag beitrage publication publicacion",
    "picture bild bilder imagen imagenes foto fotos",
    "product produkt produit producto artikel",
    "comment kommentar kommentare commentaire commentaires comentario comentarios",
    "all alle alles tout tous toutes todo todos todas",
    "next nachste nachster nachsten nachstes suivant suivante siguiente",
    "previous vorige voriger vorigen precedent precedente anterior",
    "first erste ersten erster erstes premier premiere primer primera primero",
    "last letzte letzten letzter letztes dernier derniere ultimo ultima",
    "customer kunde kunden client cliente",
    "list liste lista",
    "register registriere registrieren anmelden inscris inscrire registra registrar",
    "jan january januar janvier enero",
    "feb february februar fevrier febrero",
    "mar march marz mars marzo",
    "apr april avril abril",
    "jun june juni juin junio",
    "jul july juli juillet julio",
    "aug august aout agosto",
    "sep sept september septembre septiembre",
    "oct october oktober octobre octubre",
    "nov november novembre noviembre",
    "dec december dezember decembre diciembre",
  ].flatMap((line) => {
    const [english = "", ...others] = line.split(" ");
    return others.map((word) => [word, english]);
  }),
);

/** Nouns for the action of a verb, such as "payment" for "pay". They name the same control as the verb. */
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

/** Whether one word is the noun for the action of the other: "pay" and "payment". */
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
  [/\be-mail\b/gu, "email"],
  [/\b(?:first|given)[\s-]+name\b/gu, "firstname"],
  [/\b(?:last|family)[\s-]+name\b/gu, "lastname"],
  [/\b(?:zip|postal|post)[\s-]+code\b/gu, "zip"],
  [/\buser[\s-]+name\b/gu, "username"],
  [/\bphone[\s-]+number\b/gu, "phone"],
  [/\bmail[\s-]+address\b/gu, "mail"],
  [/\bemail[\s-]+address\b/gu, "email"],
];

/**
 * Maximum number of texts whose normalised words are cached, and their maximum length in characters. A plan
 * compares the names of all elements of a page several times. Plans of one site have the same names.
 */
const REMEMBERED = { texts: 5_000, length: 200 } as const;

/** Returns a function that caches the results of the given function of a text. A full cache is cleared. */
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

export const plainText = remembered((text: string): string => {
  let plain = text
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase()
    // Splits names of icons and attributes into words, such as firstName and user_name.
    .replace(/[_\s]+/gu, " ")
    .trim();
  for (const [pattern, joined] of JOINED) plain = plain.replace(pattern, joined);
  return plain;
});

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
  const all = written.map((word) =>
    Object.hasOwn(TRANSLATIONS, word) ? (TRANSLATIONS[word] ?? word) : word,
  );
  const content = all.filter((word) => !FILLERS.has(word));
  // A single letter in the name of an icon, as in "ellipsis v", has no meaning, so it is removed.
  const words = content.filter((word) => content.length === 1 || !/^[a-z]$/u.test(word));
  // Dates may have a leading zero: "1 October" and "01 Oct".
  return (words.length > 0 ? words : all).map((word) => stem(word.replace(/^0+(?=\d)/u, "")));
});

export function areSynonyms(one: string, other: string): boolean {
  const [a, b] = [MEANING_OF.get(one), MEANING_OF.get(other)];
  return a !== undefined && b !== undefined && [...a].some((meaning) => b.has(meaning));
}

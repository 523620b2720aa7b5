/** Words of a task and of elements, made comparable: without case, accents, endings and fillers. */

/** Words that name no element. */
const FILLERS: ReadonlySet<string> = new Set(
  (
    "the a an my our your this its of to in on at for with and or please now just here new-line " +
    "button buttons link links field fields box input page pages tab menu item entry option icon " +
    "dropdown list checkbox switch toggle panel section screen card form area textbox " +
    "der die das den dem des ein eine einen einem mein meine dein deine seite bitte von fur mit auf zu " +
    "le la les l un une mon ma mes ton ta tes de du sur pour el los las una mi mis tu del para por"
  ).split(" "),
);

/**
 * Words that interfaces use for the same thing. Each line is one meaning; a word may have several. They are the words
 * of the dashboards and forums that Cairn was measured on.
 */
const MEANINGS: readonly (readonly string[])[] = [
  "delete remove trash bin erase discard losche loschen entferne entfernen supprime supprimer supprimez efface effacer elimina eliminar borra borrar",
  "edit change modify update pencil pen bearbeite bearbeiten andere andern modifie modifier edita editar cambia cambiar",
  "add create new plus insert hinzufugen anlegen erstelle erstellen neu neue ajoute ajouter cree creer nouveau nouvelle anade anadir crea crear nuevo nueva",
  "settings preferences options configuration config gear cog einstellungen parametres reglages ajustes configuracion",
  "signin login logon",
  "signout logout logoff abmelden deconnecte deconnecter deconnexion desconectar",
  "register signup join",
  "search find lookup magnifier query",
  "save store keep apply speichere speichern sichern enregistre enregistrer guarda guardar",
  "submit send confirm sende senden abschicken envoie envoyer envoyez envia enviar",
  "pay payment bezahle bezahlen zahle zahlen paye payer payez paga pagar",
  "publish post veroffentliche veroffentlichen publie publier publiez publica publicar",
  "cancel abort dismiss close abbrechen schliesse schliessen annule annuler ferme fermer cancela cancelar cierra cerrar",
  "profile account user me konto benutzer compte profil cuenta perfil",
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
  "invite add einladen invitez invita invitar",
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
  // The letter of an icon's name, such as "ellipsis v", says nothing.
  const words = content.filter((word) => content.length === 1 || !/^[a-z]$/u.test(word));
  return (words.length > 0 ? words : all).map(stem);
}

export function areSynonyms(one: string, other: string): boolean {
  const [a, b] = [MEANING_OF.get(one), MEANING_OF.get(other)];
  return a !== undefined && b !== undefined && [...a].some((meaning) => b.has(meaning));
}

/** Recognises texts by which a script says beside a field why it does not send a form. */

/**
 * Matches a complaint in English, German, French, Spanish, Italian, Portuguese or Dutch. The texts are those of
 * validation in common libraries (Yup, Zod, VeeValidate, Angular's and React Hook Form's guides).
 */
const COMPLAINT = new RegExp(
  `(?<![\\p{L}])(?:${[
    "(?:is|are|field) required|^required|must|should be|invalid|not (?:a )?valid|too (?:short|long|small|large)|at least|at most",
    "can(?:not|['’]t) be|may not be|please (?:enter|select|choose|provide|fill)|(?:is|are) missing|already (?:taken|in use|exists?)",
    "erforderlich|pflichtfeld|ungültig|muss|müssen|mindestens|höchstens|darf nicht|bitte (?:gib|geben|wähle|wählen)",
    "obligatoires?|requise?|invalide|doit|veuillez|au moins|au plus",
    "obligatori[oa]s?|requerid[oa]s?|no válid[oa]|inválid[oa]|debe|al menos|por favor",
    "richiest[oa]|non valid[oa]|deve|almeno|obrigatóri[oa]s?|pelo menos|verplicht|ongeldig|moet|minstens",
  ].join("|")})(?![\\p{L}])`,
  "iu",
);

/** Maximum number of characters of a complaint. A longer text explains something. */
const COMPLAINT_LENGTH = 150;

export const isFormComplaint = (text: string): boolean =>
  text.length <= COMPLAINT_LENGTH && COMPLAINT.test(text.trim());

/** Finds passwords that a person writes into a conversation. They are refused before anything stores them. */

/** A word for a credential, then what looks like its value: quoted, or with digits or signs in it. */
const CREDENTIAL =
  /\b(?:password|passwort|kennwort|passcode|mot de passe|contraseña|pin|api[\s-]?key|access[\s-]?token)\b\s*(?:is|ist|est|es|:|=|to|as|with)?\s*("[^"]+"|'[^']+'|“[^”]+”|\S*[\d!$%&#?*@^~]\S*|(?<=[:=]\s*)\S+)/iu;
/** The name of a stored secret, or a reference to a field. */
const REFERENCE = /^(?:secret|field|input|box|link|page)\b/iu;

export function hasChatSecret(text: string): boolean {
  const [, value] = CREDENTIAL.exec(text) ?? [];
  return value !== undefined && !REFERENCE.test(value);
}

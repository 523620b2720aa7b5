/** Finds passwords that a person writes into a conversation. They are refused before anything stores them. */

const CREDENTIAL =
  "(?:password|passwort|kennwort|passcode|passphrase|mot de passe|contraseña|pin|api[\\s-]?key|access[\\s-]?token)";
/** What looks like a credential: quoted, or letters and digits or signs mixed, of four characters or more. */
const VALUE = `("[^"]+"|'[^']+'|“[^”]+”|(?=\\S{4,})[^\\s"']*[\\p{L}\\p{N}][^\\s"']*[\\d!$%&#*@^~][^\\s"']*)`;
/** "password hunter2", "the password is hunter2", "password: anything". */
const AFTER = new RegExp(
  `\\b${CREDENTIAL}\\b(?:(?:\\s*[:=]\\s*|\\s+(?:is|ist|est|es|as|with|to|auf)\\s+|\\s+)${VALUE}|\\s*[:=]\\s*(\\S{4,}))`,
  "iu",
);
/** "type hunter2 into the password field". */
const BEFORE = new RegExp(
  `\\b(?:type|enter|write|put|input|use|paste)\\s+(?:${VALUE}|(\\S+))\\s+(?:in(?:to)?|as|for)\\s+(?:the\\s+|my\\s+|your\\s+)?(?:\\p{L}+\\s+){0,2}?${CREDENTIAL}\\b`,
  "iu",
);
/** The name of a stored secret, or words for a field. */
const REFERENCE =
  /^(?:["'“]?secret\b|the$|my$|your$|it$|that$|this$|a$|new$|current$|field|input|box|link|page)/iu;

export function hasChatSecret(text: string): boolean {
  return [AFTER, BEFORE].some((pattern) => {
    const [, ...values] = pattern.exec(text) ?? [];
    const value = values.find((one) => one !== undefined);
    return (
      value !== undefined && !REFERENCE.test(value) && !/\bsecret\s+\w+/iu.test(pattern.exec(text)?.[0] ?? "")
    );
  });
}

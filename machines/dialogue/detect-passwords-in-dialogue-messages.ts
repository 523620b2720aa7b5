/**
 * Finds passwords that a person types into a conversation. Messages with passwords are refused before they
 * are stored.
 */

const CREDENTIAL =
  "(?:password|passwort|kennwort|passcode|passphrase|mot de passe|contraseña|pin|api[\\s-]?key|access[\\s-]?token)";
/**
 * Matches a possible password: a quoted text, or at least four characters of letters mixed with digits or
 * signs.
 */
const VALUE = `("[^"]+"|'[^']+'|“[^”]+”|(?=\\S{4,})[^\\s"']*[\\p{L}\\p{N}][^\\s"']*[\\d!$%&#*@^~][^\\s"']*)`;
/** Matches a password after its name: "password hunter2", "the password is hunter2", "password: anything". */
const AFTER = new RegExp(
  `\\b${CREDENTIAL}\\b(?:(?:\\s*[:=]\\s*|\\s+(?:is|ist|est|es|è|as|with|to|auf)\\s+|\\s+)${VALUE}|\\s*[:=]\\s*(\\S{4,}))`,
  "iu",
);
/** Matches a password that stands before its name: "type hunter2 into the password field". */
const BEFORE = new RegExp(
  `\\b(?:type|enter|write|put|input|use|paste)\\s+(?:${VALUE}|(\\S+))\\s+(?:in(?:to)?|as|for)\\s+(?:the\\s+|my\\s+|your\\s+)?(?:\\p{L}+\\s+){0,2}?${CREDENTIAL}\\b`,
  "iu",
);
/**
 * Matches words that cannot be a password, such as "my", "field" or "secret". They refer to a field or to a
 * stored secret.
 */
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

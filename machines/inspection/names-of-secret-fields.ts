/** Recognises by the name of a field that its value is a secret or a password. */

/** The text that replaces a secret. */
export const MASK = "********";

/**
 * Words in the name of a field that indicate a secret value. Names are split into words, so `loginPassword`,
 * `login_password` and `login-password` contain the same words.
 */
const SECRET_WORDS: ReadonlySet<string> = new Set([
  "auth",
  "authorization",
  "cookie",
  "cookies",
  "credential",
  "credentials",
  "jwt",
  "otp",
  "passcode",
  "passphrase",
  "passwd",
  "password",
  "passwords",
  "pin",
  "pwd",
  "secret",
  "secrets",
  "sig",
  "token",
  "tokens",
  "totp",
  // Words that indicate a secret in German, French and Spanish field names, without accents.
  "contrasena",
  "geheimnis",
  "kennwort",
  "kennworter",
  "passwort",
  "passworter",
]);
/**
 * Matches the French term for "password" after the field name was split into words: `motDePasse`,
 * `mot_de_passe`, `motdepasse`.
 */
const FRENCH_PASSWORD = /\bmots? ?de ?passe\b/;
/** Words that make a field name a secret when they precede `key` or `keys`: `api_key`, `privateKey`. */
const SECRET_KEYS: ReadonlySet<string> = new Set(["access", "api", "private", "secret", "signing"]);

/** Words in the name of a field that indicate a password. They are part of `SECRET_WORDS`. */
const PASSWORD_WORDS: ReadonlySet<string> = new Set([
  "contrasena",
  "kennwort",
  "passcode",
  "passphrase",
  "passwd",
  "password",
  "passwort",
  "pwd",
]);

const wordsOf = (name: string): readonly string[] =>
  name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .normalize("NFD")
    .replace(/\p{Mn}/gu, "")
    .toLowerCase()
    .split(/[^a-z0-9]+/);

/** Whether a field with this name contains a password. Other secrets, such as tokens, do not count. */
export function namesPassword(name: string): boolean {
  const words = wordsOf(name);
  return (
    FRENCH_PASSWORD.test(words.join(" ")) || words.some((word) => PASSWORD_WORDS.has(word.replace(/\d$/, "")))
  );
}

/** Whether a field with this name contains a secret. */
export function namesSecret(name: string): boolean {
  const words = wordsOf(name);
  if (FRENCH_PASSWORD.test(words.join(" "))) return true;
  return words.some(
    (word, i) =>
      SECRET_WORDS.has(word) ||
      /^(api|access|private)keys?$/.test(word) ||
      (/^keys?$/.test(word) && SECRET_KEYS.has(words[i - 1] ?? "")),
  );
}

/**
 * Words of actions that cannot be undone or that reach other people: deleting, paying, sending, publishing,
 * inviting, changing access. The languages are those of the interfaces on which Cairn was measured.
 */

/** Beginnings of words that indicate a high risk, in lower case. */
const HIGH_RISK: readonly string[] = [
  // English words
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
  // German words
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
  "widerruf",
  // French words
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
  // Spanish words
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
];

/**
 * Whether a text names an action with a high risk. Only the beginning of a word is compared, so "sender" also
 * matches.
 */
export function isHighRisk(text: string): boolean {
  const plain = ` ${text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, " ")} `;
  return HIGH_RISK.some((word) => plain.includes(` ${word}`));
}

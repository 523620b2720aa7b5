/**
 * Words of actions that cannot be undone or that reach other people: deleting, paying, sending, publishing, inviting,
 * changing access. In the languages of the interfaces that Cairn was measured on.
 */

/** Beginnings of words, in lower case. */
const HIGH_RISK: readonly string[] = [
  // English
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
  // German
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
  // French
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
  // Spanish
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

/** Whether a text names an action with a high risk. A word counts at its beginning: "send" is in "sender" as well. */
export function isHighRisk(text: string): boolean {
  const plain = ` ${text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, " ")} `;
  return HIGH_RISK.some((word) => plain.includes(` ${word}`));
}

/** Finds the names of authors in a post or row of a page, or near the title of an article. */
import type { HtmlElement } from "../parse/parse-html-document.ts";
import { AUTHOR_CLASS, AUTHOR_PATH } from "./author-markup.ts";
import type { Piece } from "./pieces-of-repeated-blocks.ts";

export const NAME = { length: 40, words: 4 } as const;

const BY =
  /^(?:(?:posted|written|started|answered|sent|asked|commented)\s+)?(?:by|von|par|de|por|di|da|van|av|od|от|from|author|autor|auteur|verfasser|absender|remitente|expéditeur|de la part de)\s*[:：]?\s+/i;
const BY_LABEL =
  /^(?:(?:posted|written|started|answered|sent)\s+)?(?:by|von|par|de|por|from|author|autor|auteur|verfasser|absender|user(?:name)?|name|poster)\s*[:：]?$/i;
const WROTE =
  /[\s,]*(?:wrote|writes|said|says|schrieb|schreibt|a écrit|escribió|escreveu|ha scritto|schreef|skrev|napisał\(?a?\)?|пишет|написал)\b.*$/i;
/** Matches words that are often where a name could be, but are no names, such as "Reply" and "Moderator". */
const NO_NAME =
  /^(?:re|reply|quote|answer|edit|delete|report|like|share|permalink|link|member|admin|administrator|moderator|guest|offline|online|top|up|down|next|prev(?:ious)?|posts?|views?|replies|comments?|subject|date|to|cc|from|author)[:.]?$/i;

/**
 * Returns the name of a person in a piece of text, with a score. The score is higher the more likely this
 * person is the author.
 *
 * @param before the piece of text before `piece`
 * @param date the piece of text that contains the date
 */
export function nameIn(piece: Piece, before: Piece | undefined, date: Piece | undefined) {
  let { text } = piece;
  let score = 0;
  if (piece.declared && /\d/.test(text)) return undefined;
  // A labelled field such as "From: Ada" certainly contains the author's name, so its score is high.
  const field = /^(?:from|von|de|author)\s*[:：]\s*\S/i.test(text);
  if (field) score += 3;
  if (piece.date !== undefined && !piece.declared) {
    // A text may contain a name before the date, such as "Ada, 12 Nov 2031" or "Posted by Ada on 12 Nov". The
    // separator before the date is removed.
    text = piece.before.replace(
      /[\s,;:·•|@—–-]*(?:\b(?:on|at|am|le|el|em|il|op|den)\b)?[\s,;:·•|@—–-]*$/i,
      "",
    );
    if (text === "") return undefined;
  }
  if (WROTE.test(text)) {
    text = text.replace(WROTE, "");
    score += 2;
  }
  if (BY.test(text)) {
    text = text.replace(BY, "");
    score += 2;
  }
  if (before && before.line === piece.line && BY_LABEL.test(before.text)) score += 3;
  else if (before && BY_LABEL.test(before.text)) score += 2;
  text = text
    .replace(/\s*[<([][^<>()[\]]*(?:@|\bat\b|\()[^<>()[\]]*[>)\]]?\s*$/, "")
    .replace(/^[\s"'“”«»@~•·|-]+|[\s"'“”«»:,;•·|<-]+$/g, "")
    .trim();
  if (!isName(text)) return undefined;
  const { attributes } = piece.element;
  const href = piece.link?.attributes.href;
  if (href !== undefined && AUTHOR_PATH.test(href)) score += 4;
  if (attributes.itemprop === "author" || piece.link?.attributes.rel?.includes("author")) score += 4;
  if (hasAuthorClass(piece.element)) score += 3;
  if (piece.line === date?.line) score += 0.5;
  if (/^(?:b|strong|cite|h[1-6])$/.test(piece.element.tag)) score += 0.5;
  return { name: text, score };
}

function isName(text: string): boolean {
  if (text.length < 2 || text.length > NAME.length || text.split(/\s+/).length > NAME.words) return false;
  if (!/\p{L}/u.test(text) || NO_NAME.test(text) || /[?!:;]|\.\s|https?:/.test(text)) return false;
  // A text that begins with a number, such as "3 posts", is not an author's name.
  return !/^[#+]?\d+(?:[.,]\d+)*k?(?:\s|$)/i.test(text);
}

/** Whether an author class or `itemprop` marks the element, its parent or its grandparent as the author. */
function hasAuthorClass(element: HtmlElement): boolean {
  let at: HtmlElement | null = element;
  for (let up = 0; at && up < 3; up++, at = at.parent) {
    if (AUTHOR_CLASS.test(at.attributes.class ?? "") || at.attributes.itemprop === "author") return true;
  }
  return false;
}

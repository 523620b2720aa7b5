/**
 * Decodes the bytes of a document to text, makes a title from its name, and creates the error for a document that
 * cannot be read.
 */
import { Refused } from "../../../machines/errors.ts";
import { decodeText } from "../parse/charset-decoding.ts";
import type { DocumentBytes } from "./document-importer-interface.ts";

/**
 * Number of characters at the start of a document in which a NUL character is searched for. A document with
 * such a character is not text.
 */
const BINARY_WITHIN = 8_000;

export function textOfDocument(document: DocumentBytes): string {
  const text = decodeText(document.bytes, undefined);
  if (text.slice(0, BINARY_WITHIN).includes("\0")) throw unreadable(document, "it is binary data, not text");
  if (text.trim() === "") throw unreadable(document, "it is empty");
  return text;
}

export function unreadable(
  { name, mediaType }: Pick<DocumentBytes, "name" | "mediaType">,
  why: string,
): Refused {
  return new Refused("document.unreadable", `${name} cannot be read as ${mediaType}: ${why}.`, {
    status: 422,
    details: { name, media_type: mediaType },
  });
}

/** Returns a title that is made from the name of a file. */
export function titleOfName(name: string): string {
  const last = name.split(/[\\/]/).findLast((part) => part !== "") ?? name;
  return (
    last
      .replace(/\.[A-Za-z0-9]{1,5}$/, "")
      .replace(/[_-]+/g, " ")
      .trim() || name
  );
}

/** The text of a document's bytes, and the error of one that cannot be read. */
import { Refused } from "../../../machines/errors.ts";
import { decodeText } from "../parse/charset.ts";
import type { DocumentBytes } from "./importer.ts";

/** Characters at the start in which a NUL means that the bytes are no text. */
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

/** A title from the name of a file. */
export function titleOfName(name: string): string {
  const last = name.split(/[\\/]/).findLast((part) => part !== "") ?? name;
  return (
    last
      .replace(/\.[A-Za-z0-9]{1,5}$/, "")
      .replace(/[_-]+/g, " ")
      .trim() || name
  );
}

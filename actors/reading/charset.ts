/**
 * Bytes of a page to text, by the order of HTML's encoding sniffing: byte order mark, HTTP header, the page's
 * own declaration in its first 1,024 bytes, and then UTF-8 where the bytes are that, windows-1252 where not.
 */

const DECLARATION_BYTES = 1_024;

/** A text as it came, not decoded yet: half the size of most that are, and handed to another thread without a copy. */
export interface EncodedText {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The `charset` of the `Content-Type` header. */
  readonly charset: string | undefined;
}

/** A decoder for a WHATWG label; `undefined` for a label that is none. */
function decoderFor(label: string | undefined): TextDecoder | undefined {
  if (label === undefined || label === "") return undefined;
  try {
    return new TextDecoder(label);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function byteOrderMark(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return "utf-8";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  return undefined;
}

/** The encoding that a page declares in `<meta>` or in its XML declaration. */
function declared(bytes: Uint8Array): string | undefined {
  const start = new TextDecoder("windows-1252")
    .decode(bytes.subarray(0, DECLARATION_BYTES))
    .replace(/<!--[\s\S]*?-->/g, "");
  const found =
    /<meta\b[^>]*?\bcharset\s*=\s*["']?\s*([\w:.-]+)/i.exec(start) ??
    /^\s*<\?xml\b[^>]*?\bencoding\s*=\s*["']([\w:.-]+)["']/i.exec(start);
  const label = found?.[1]?.toLowerCase();
  // What could be read as ASCII is not UTF-16, whatever it says (HTML, "prescan a byte stream").
  return label?.startsWith("utf-16") ? "utf-8" : label;
}

/** @param label the `charset` of the `Content-Type` header */
export function decodeText(bytes: Uint8Array, label: string | undefined): string {
  const decoder = decoderFor(byteOrderMark(bytes)) ?? decoderFor(label) ?? decoderFor(declared(bytes));
  if (decoder) return decoder.decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return new TextDecoder("windows-1252").decode(bytes);
    throw error;
  }
}

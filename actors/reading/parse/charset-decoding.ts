/**
 * Decodes the bytes of a page in the order of HTML's encoding sniffing: byte order mark, HTTP header, then
 * the declaration in the first 1,024 bytes of the page. When none of them names an encoding, valid UTF-8 is
 * decoded as UTF-8 and everything else as windows-1252.
 */

const DECLARATION_BYTES = 1_024;

/**
 * The bytes of a text with its encoding. They need half the memory of most decoded strings, and they can be
 * transferred to another thread without a copy.
 */
export interface EncodedText {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The `charset` of the `Content-Type` header. */
  readonly charset: string | undefined;
}

/** Returns a decoder for a WHATWG encoding label, or `undefined` for an unknown label. */
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

/** Returns the encoding that a page declares in `<meta>` or in its XML declaration. */
function declared(bytes: Uint8Array): string | undefined {
  const start = new TextDecoder("windows-1252")
    .decode(bytes.subarray(0, DECLARATION_BYTES))
    .replace(/<!--[\s\S]*?-->/g, "");
  const found =
    /<meta\b[^>]*?\bcharset\s*=\s*["']?\s*([\w:.-]+)/i.exec(start) ??
    /^\s*<\?xml\b[^>]*?\bencoding\s*=\s*["']([\w:.-]+)["']/i.exec(start);
  const label = found?.[1]?.toLowerCase();
  // The declaration was read as ASCII, so the page cannot be UTF-16 although the declaration says so. The
  // HTML standard then decodes the page as UTF-8 ("prescan a byte stream").
  return label?.startsWith("utf-16") ? "utf-8" : label;
}

/**
 * Decodes the bytes of a page.
 * @param label the `charset` of the `Content-Type` header
 */
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

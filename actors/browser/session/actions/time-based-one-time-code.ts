/**
 * Computes time-based one-time codes by RFC 6238 (TOTP) and RFC 4226 (HOTP), from a key in base32 or an
 * `otpauth://` URL.
 */
import { ActionFailure } from "../action-error.ts";

export interface TotpKey {
  readonly key: Uint8Array<ArrayBuffer>;
  readonly hash: "SHA-1" | "SHA-256" | "SHA-512";
  readonly digits: number;
  /** Seconds for which each one-time code is valid. */
  readonly period: number;
}

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/**
 * Decodes a base32 text (RFC 4648), ignoring blanks and padding. Returns `undefined` when it is not base32.
 */
function fromBase32(text: string): Uint8Array<ArrayBuffer> | undefined {
  const plain = text.toUpperCase().replace(/[\s=-]/g, "");
  if (plain === "" || !/^[A-Z2-7]+$/.test(plain)) return undefined;
  const bytes: number[] = [];
  let [bits, held] = [0, 0];
  for (const letter of plain) {
    bits = (bits << 5) | LETTERS.indexOf(letter);
    held += 5;
    if (held < 8) continue;
    held -= 8;
    bytes.push((bits >> held) & 0xff);
    bits &= (1 << held) - 1;
  }
  return new Uint8Array(bytes);
}

/** Parses a key. Throws `invalid_params` when the text is not a key. The error does not contain the text. */
export function totpKeyOf(text: string): TotpKey {
  const url = /^otpauth:/i.test(text) && URL.canParse(text) ? new URL(text) : undefined;
  const { searchParams } = url ?? {};
  const key = fromBase32(searchParams?.get("secret") ?? text);
  const algorithm = (searchParams?.get("algorithm") ?? "SHA1").toUpperCase().replace("-", "");
  const hash = ({ SHA1: "SHA-1", SHA256: "SHA-256", SHA512: "SHA-512" } as const)[algorithm];
  const digits = Number(searchParams?.get("digits") ?? 6);
  const period = Number(searchParams?.get("period") ?? 30);
  if (!key || !hash || !(digits >= 6 && digits <= 10) || !(period >= 1 && period <= 3_600)) {
    throw new ActionFailure(
      "invalid_params",
      "totp_secret is neither a secret's name nor a TOTP key in base32.",
    );
  }
  return { key, hash, digits, period };
}

/**
 * Returns the one-time code for a moment.
 * @param at point in time, in milliseconds since the epoch
 */
export async function totpCode({ key, hash, digits, period }: TotpKey, at: number): Promise<string> {
  const counter = new DataView(new ArrayBuffer(8));
  counter.setBigUint64(0, BigInt(Math.floor(at / 1_000 / period)));
  const signing = await crypto.subtle.importKey("raw", key, { name: "HMAC", hash }, false, ["sign"]);
  const mac = new DataView(await crypto.subtle.sign("HMAC", signing, counter.buffer));
  const offset = mac.getUint8(mac.byteLength - 1) & 0x0f;
  const number = mac.getUint32(offset) & 0x7fff_ffff;
  return String(number % 10 ** digits).padStart(digits, "0");
}

import { expect, test } from "bun:test";
import {
  totpCode,
  totpKeyOf,
} from "../../../../../actors/browser/session/actions/time-based-one-time-code.ts";

/** Keys (in base32) of one-time passwords, from RFC 6238, appendix B. */
const keys = {
  SHA1: "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ",
  SHA256: "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZA====",
  SHA512:
    "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZDGNA=",
} as const;

test.each<[number, string, string, string]>([
  [59, "94287082", "46119246", "90693936"],
  [1_111_111_109, "07081804", "68084774", "25091201"],
  [1_111_111_111, "14050471", "67062674", "99943326"],
  [1_234_567_890, "89005924", "91819424", "93441116"],
  [2_000_000_000, "69279037", "90698825", "38618901"],
  [20_000_000_000, "65353130", "77737706", "47863826"],
])("the time-based code at %d s after 1970 equals the one in RFC 6238", async (seconds, one, two, three) => {
  const codes = [one, two, three];
  for (const [at, hash] of (["SHA1", "SHA256", "SHA512"] as const).entries()) {
    const address = `otpauth://totp/Shop:ann?secret=${keys[hash]}&algorithm=${hash}&digits=8&period=30`;
    expect(await totpCode(totpKeyOf(address), seconds * 1_000)).toBe(codes[at] ?? "");
  }
});

test("a key of time-based codes that is given without an otpauth URL gives six digits, whatever its spacing and case", async () => {
  const plain = await totpCode(totpKeyOf(keys.SHA1), 59_000);
  expect(plain).toBe("287082");
  expect(await totpCode(totpKeyOf(keys.SHA1.toLowerCase().replace(/(.{4})/g, "$1 ")), 59_000)).toBe(plain);
});

test.each(["", "not base32!", "otpauth://totp/x?secret=", "otpauth://totp/x?secret=GEZDGNBV&algorithm=MD5"])(
  "the key %j of time-based codes is rejected and not repeated in the error",
  (text) => {
    expect(() => totpKeyOf(text)).toThrow("neither a secret's name nor a TOTP key");
  },
);

/** Tests the function that copies a text so that the copy shares no memory with a longer text. */
import { expect, test } from "bun:test";
import { copiedText } from "../../machines/copy-text-to-free-memory.ts";

test.each([0, 1, 4_096, 4_097, 300_000, 1_000_000])(
  "the copy of a text of %d characters equals the text",
  (length) => {
    // The text contains characters of two code units. Some of these characters are at a boundary between two
    // copied parts.
    const text = "a😀".repeat(Math.ceil(length / 3)).slice(0, length);
    expect(copiedText(text)).toBe(text);
  },
);

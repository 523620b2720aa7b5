import { expect, test } from "bun:test";
import { withoutPaths } from "../../../machines/inspection/file-path-masking.ts";

test.each([
  ["Chromium at /usr/lib/chromium/chromium does not start.", "Chromium at <path> does not start."],
  ["ENOENT: open '/home/ann/cairn/key'", "ENOENT: open '<path>'"],
  ["/tmp/x, (/var/lib/cairn/db)", "<path>, (<path>)"],
  ["C:\\Users\\ann\\cairn is full", "<path> is full"],
])("removing local paths from a text changes %j", (text, expected) => {
  expect(withoutPaths(text)).toBe(expected);
});

test.each([
  "GET /api/knowledge/explore/jobs lists the jobs.",
  "https://shop.example.com/home/users/ann is not there",
  "nothing matches /html/body/div[2]",
  "//*[@id='x']/usr/lib",
  "file:///etc/passwd may not be opened",
  "a/tmp/b, 1/2, and/or, /tmp",
])("removing local paths from a text does not change %j, which contains none", (text) => {
  expect(withoutPaths(text)).toBe(text);
});

import { expect, test } from "bun:test";
import { mimeTypeOf, safeName } from "../../../machines/session/download-names.ts";
import { downloadLimits } from "../../../machines/session/limits.ts";

test.each([
  ["report.csv", "report.csv"],
  ["../../etc/passwd", "passwd"],
  ["C:\\Users\\me\\list.txt", "list.txt"],
  ["..", "download"],
  ["", "download"],
  [".bashrc", "bashrc"],
  ["a\u0000b\n.txt", "a_b_.txt"],
  ["exe\u202Etxt.pdf", "exe_txt.pdf"],
  ["con.txt", "_con.txt"],
  ["who?.pdf", "who_.pdf"],
  ["trailing. ", "trailing"],
  ["Bericht für März.pdf", "Bericht für März.pdf"],
])("stores %j as %j", (suggested, name) => {
  expect(safeName(suggested)).toBe(name);
});

test("shortens a long name before its extension", () => {
  const name = safeName(`${"x".repeat(500)}.tar.gz`);
  expect(name).toHaveLength(downloadLimits.nameLength);
  expect(name.endsWith("x.gz")).toBe(true);
});

test("derives the MIME type from the extension", () => {
  expect([mimeTypeOf("a.PDF"), mimeTypeOf("a.exe"), mimeTypeOf("a")]).toEqual([
    "application/pdf",
    "application/octet-stream",
    "application/octet-stream",
  ]);
});

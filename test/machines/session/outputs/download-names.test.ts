import { expect, test } from "bun:test";
import { mimeTypeOf, safeName } from "../../../../machines/session/outputs/download-names.ts";
import { downloadLimits } from "../../../../machines/session/session-limits.ts";

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
])("a download with the suggested name %j is stored as %j", (suggested, name) => {
  expect(safeName(suggested)).toBe(name);
});

test("a long name of a download is shortened before its extension", () => {
  const name = safeName(`${"x".repeat(500)}.tar.gz`);
  expect(name).toHaveLength(downloadLimits.nameLength);
  expect(name.endsWith("x.gz")).toBe(true);
});

test("the MIME type of a download is derived from the extension", () => {
  expect([mimeTypeOf("a.PDF"), mimeTypeOf("a.exe"), mimeTypeOf("a")]).toEqual([
    "application/pdf",
    "application/octet-stream",
    "application/octet-stream",
  ]);
});

/** Tests the check of the language with files that break each rule. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { drawSamples, printedSample } from "./draw-comments-and-names-for-reader.ts";
import { duplicateBasenames, longFiles } from "./file-length-and-names.ts";
import { findingsIn, findingsOfTree, subjectProblems } from "./language.ts";
import { sourceTextOf } from "./read-comments-and-names-in-source.ts";

const problemsOf = (text: string, path = "actors/pages.ts"): readonly string[] =>
  findingsIn({ path, text }).map(({ problem }) => problem);

describe("the language check", () => {
  test.each([
    ["/** The caller is told. */", "told"],
    ["const a = 1; // nobody waits", "nobody"],
    ["/** Runs anew. */", "anew"],
    ["/** The next look shows it. */", "next look"],
    ["/** Repeats the act. */", "the act"],
    ["/** The session is at rest. */", "at rest"],
    ["/** The crawl goes on. */", "goes on"],
    ["export const deskOf = 1;", "deskOf"],
    ["export interface Row { readonly lookId: string }", "lookId"],
    ["export function f(whoever: string): void {}", "whoever"],
    ["class Pages { #tenure = 1; }", "#tenure"],
    ['test("is told to the caller", () => {});', "told"],
    ['describe.each([1])("an act of %s", () => {});', "an act"],
    ["test(`returns $" + "{1} for somebody`, () => {});", "somebody"],
  ])("finds the banned word in %j", (text, word) => {
    expect(problemsOf(text).join("\n")).toContain(word);
  });

  test.each([
    ["/** Looks up the page. What it looks like does not matter. */"],
    ["/** Acts as a proxy; a step that acts on the page. */"],
    ["/** The event `told` is stored. */"],
    ["/** Keys are encrypted at rest. */"],
    ["export const factor = 1; export const lookup = 2; export const actions = 3;"],
    ['const url = "https://told.example/anew"; // a comment'],
    ["const page = `<p>nobody $" + "{1} nobody</p>`;"],
    ["const pattern = /told|\\/\\/ nobody/;"],
  ])("accepts the source text %j, which breaks no rule", (text) => {
    expect(problemsOf(text)).toEqual([]);
  });

  test("reports a file header of more than three sentences", () => {
    expect(problemsOf("/** One. Two. Three. */\nexport const a = 1;")).toEqual([]);
    expect(problemsOf("/** One. Two. Three. Four. */\nexport const a = 1;")).toEqual([
      "a file header of 4 sentences; at most 3",
    ]);
  });

  test("does not count a file name, a number or an abbreviation as the end of a sentence", () => {
    expect(problemsOf("/** Reads a.ts, e.g. 1.5 times. See `x. y. z.` here. */")).toEqual([]);
  });

  test("reports a commit subject over 72 characters", () => {
    expect(subjectProblems(["a".repeat(72)])).toEqual([]);
    expect(subjectProblems(["a".repeat(73)])).toHaveLength(1);
  });
});

describe("the language check of a project with defects", () => {
  let root: string;
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), "cairn-language-"));
    await Bun.write(join(root, "machines/pages.ts"), "/** The caller is told. */\n");
    await Bun.write(join(root, "store/records/pages.ts"), "/** Pages of the store. */\n");
    await Bun.write(join(root, "store/index.ts"), "/** The store. */\n");
    await Bun.write(join(root, "machines/index.ts"), "/** The machines. */\n");
  });
  afterAll(() => rm(root, { recursive: true, force: true }));

  test("fails, and lists the banned word and the duplicate basename", async () => {
    const findings = await findingsOfTree(root);
    expect(findings.map(({ path, problem }) => `${path}: ${problem.split(";")[0]}`)).toEqual([
      'machines/pages.ts: "told"',
      "machines/pages.ts: a basename used 2 times: machines/pages.ts, store/records/pages.ts",
      "store/records/pages.ts: a basename used 2 times: machines/pages.ts, store/records/pages.ts",
    ]);
  });
});

describe("the check for duplicate basenames", () => {
  test("accepts basenames that may be shared, and a test that is named after its subject", () => {
    const paths = ["a/index.ts", "b/index.ts", "a/index.test.ts", "b/index.test.ts", "a/x.ts", "b/x.test.ts"];
    expect(duplicateBasenames(paths)).toEqual([]);
    expect(duplicateBasenames(["a/row.ts", "b/row.tsx", "c/line.ts"])).toEqual([["a/row.ts", "b/row.tsx"]]);
  });
});

describe("the list of long files", () => {
  test("contains files from 501 lines on, longest first", () => {
    const file = (path: string, lines: number) => ({ path, text: "x\n".repeat(lines) });
    const files = [file("a.ts", 500), file("b.ts", 501), file("c.ts", 600)];
    expect(longFiles(files)).toEqual(["c.ts: 600 lines", "b.ts: 501 lines"]);
  });
});

describe("reading the comments and test names of a file", () => {
  test("joins the lines of a comment and keeps its paragraphs", () => {
    const { header, comments } = sourceTextOf({
      path: "a.ts",
      text: "/**\n * One\n * line.\n *\n * Another.\n */\n\n// two\n// lines\nconst a = 1; // one\n",
    });
    expect(header?.text).toBe("One line.\nAnother.");
    expect(comments.map(({ line, text }) => `${line} ${text}`)).toEqual([
      "1 One line.\nAnother.",
      "8 two lines",
      "10 one",
    ]);
  });

  test.each([
    [
      "below a documentation comment",
      "const a = 1;\n/** One. */\nexport function one(): void {\n",
      "export function one(): void {",
    ],
    [
      "below a comment and a directive",
      "f();\n// one\n\n// biome-ignore lint/a/b: c\n  g(); // two\n",
      "g();",
    ],
    ["before a comment at its end", "f();\n  g(1); // one\nh();\n", "g(1);"],
    ["around a comment inside of it", "f();\ng(/* one */ 1);\n", "g( 1);"],
  ])("returns for a comment the line of code %s", (_place, text, subject) => {
    expect(sourceTextOf({ path: "a.ts", text }).comments[0]?.subject).toBe(subject);
  });

  test("returns the name of the file for the comment at its start", () => {
    const { comments } = sourceTextOf({ path: "b/a.ts", text: "#!/usr/bin/env bun\n/** One. */\nf();\n" });
    expect(comments.map(({ subject }) => subject)).toEqual(["a.ts"]);
  });

  test("returns an empty line of code for a comment at the end of a file", () => {
    const { comments } = sourceTextOf({ path: "a.ts", text: "f();\n// one" });
    expect(comments.map(({ subject }) => subject)).toEqual([""]);
  });

  test("joins the name of a test with the names of the groups around it", () => {
    const text =
      'describe("a page", () => { describe.if(x)("that is long", () => { test.each([1])("is cut", f); }); });';
    const { testNames, fullTestNames } = sourceTextOf({ path: "a.ts", text });
    expect(testNames.map(({ text }) => text)).toEqual(["a page", "that is long", "is cut"]);
    expect(fullTestNames.map(({ text }) => text)).toEqual(["a page > that is long > is cut"]);
  });

  test("leaves out comments that are directives for tools", () => {
    const text = "// biome-ignore lint/suspicious/noExplicitAny: any\nconst a = 1;\n";
    expect(sourceTextOf({ path: "a.ts", text }).comments).toEqual([]);
  });
});

describe("the random samples of comments and test names for a reader", () => {
  const files = Array.from({ length: 20 }, (_, index) => ({
    path: `a/file-${index}.ts`,
    text: `/** Comment ${index}. */\ntest("returns ${index}", () => {});\n`,
  }));
  const sizes = { comments: 5, tests: 4, files: 3 };

  test("are the same for the same seed, and each comment is drawn once", () => {
    const samples = drawSamples(files, sizes, 1);
    expect(samples).toEqual(drawSamples(files, sizes, 1));
    expect(samples).not.toEqual(drawSamples(files, sizes, 2));
    expect(new Set(samples.comments.map(({ place }) => place)).size).toBe(5);
    expect([samples.tests.length, samples.files.length]).toEqual([4, 3]);
  });

  test("print below a comment the first 110 characters of the line of code that it describes", () => {
    const [path, code] = ["a/page.ts", `const a = "${"x".repeat(200)}";`];
    const text = `/** Header. */\nf();\n/** Describes a. */\n${code}\ntest("returns a", () => {});\n`;
    const { comments, tests, files } = drawSamples([{ path, text }], sizes, 1);
    expect(comments.map(printedSample).sort()).toEqual([
      `Describes a.\n> ${code.slice(0, 110)}…`,
      "Header.\n> page.ts",
    ]);
    expect([...tests, ...files].map(printedSample)).toEqual(["returns a", "page.ts"]);
  });
});

/** Reads the prose of a source file: its comments, its declared names, and the names of its tests. */
import { basename } from "node:path";
import ts from "typescript";

export interface SourceFile {
  /** Path of the file, relative to the project and with forward slashes. */
  readonly path: string;
  readonly text: string;
}

export interface Prose {
  /** Line number, starting at 1. */
  readonly line: number;
  /** The text without comment markers. Lines of one paragraph are joined by a space. */
  readonly text: string;
}

export interface Comment extends Prose {
  /**
   * The line of code that an editor shows with the comment. If the comment's own line has code, it is this
   * line; otherwise it is the next line that is no comment. For a comment at the start of the file, it is the
   * name of the file.
   */
  readonly subject: string;
}

export interface SourceText {
  /** The block comment at the start of the file; `undefined` if the file starts with something else. */
  readonly header: Prose | undefined;
  readonly comments: readonly Comment[];
  /** Names of declared variables, parameters, functions, types and members. */
  readonly names: readonly Prose[];
  /** Names of tests and of test groups. */
  readonly testNames: readonly Prose[];
  /** The full name of each test: the names of its groups and its own name, as `group > test`. */
  readonly fullTestNames: readonly Prose[];
}

interface Span {
  readonly start: number;
  readonly end: number;
}

/** The file that was parsed last, with its syntax tree. */
let last: { readonly file: SourceFile; readonly source: ts.SourceFile } | undefined;

/**
 * Parses a source file without its JSDoc comments, which takes a third less time. The import rules and the language
 * check read a file one after the other, so the second of them gets the syntax tree of the first.
 */
export function parseSource(file: SourceFile): ts.SourceFile {
  if (last?.file === file) return last.source;
  const options = {
    languageVersion: ts.ScriptTarget.ESNext,
    jsDocParsingMode: ts.JSDocParsingMode.ParseNone,
  };
  const source = ts.createSourceFile(file.path, file.text, options, true);
  last = { file, source };
  return source;
}

/** Matches comments for tools. The language of such comments is not checked. */
const DIRECTIVE = /^(biome-ignore|@ts-|<reference|cspell|eslint)/;

const isTextual = (node: ts.Node): boolean =>
  ts.isStringLiteralLike(node) ||
  ts.isRegularExpressionLiteral(node) ||
  ts.isTemplateHead(node) ||
  ts.isTemplateMiddleOrTemplateTail(node) ||
  ts.isJsxText(node);

const isDeclaration = (node: ts.Node): boolean =>
  ts.isVariableDeclaration(node) ||
  ts.isParameter(node) ||
  ts.isBindingElement(node) ||
  ts.isFunctionLike(node) ||
  ts.isClassLike(node) ||
  ts.isInterfaceDeclaration(node) ||
  ts.isTypeAliasDeclaration(node) ||
  ts.isTypeParameterDeclaration(node) ||
  ts.isPropertyDeclaration(node) ||
  ts.isPropertySignature(node);

interface TestName {
  readonly name: ts.StringLiteralLike | ts.TemplateExpression;
  readonly isGroup: boolean;
}

/** Returns the name of a test or group, as in `test("…")` or `describe.each(…)("…")`. */
function testNameOf(node: ts.Node): TestName | undefined {
  if (!ts.isCallExpression(node)) return undefined;
  let callee: ts.Expression = node.expression;
  while (ts.isPropertyAccessExpression(callee) || ts.isCallExpression(callee)) callee = callee.expression;
  if (!ts.isIdentifier(callee) || !["test", "describe", "it"].includes(callee.text)) return undefined;
  const [first] = node.arguments;
  if (!first || !(ts.isStringLiteralLike(first) || ts.isTemplateExpression(first))) return undefined;
  return { name: first, isGroup: callee.text === "describe" };
}

/** Returns the text of a comment without its markers. Each paragraph becomes one line. */
function withoutMarkers(comment: string): string {
  const lines = comment.startsWith("//")
    ? comment.split("\n").map((line) => line.trim().replace(/^\/\/+ ?/, ""))
    : comment
        .replace(/^\/\*+|\*+\/$/g, "")
        .split("\n")
        .map((line) => line.trim().replace(/^\* ?/, ""));
  return lines
    .join("\n")
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.replace(/\s+/g, " ").trim())
    .filter(Boolean)
    .join("\n");
}

/**
 * Returns the positions of all comments outside of string literals. `//` comments on consecutive lines count
 * as one comment.
 */
function commentSpans(text: string, literals: readonly Span[]): readonly Span[] {
  const spans: Span[] = [];
  let literal = 0;
  let at = 0;
  while (at < text.length) {
    const next = literals[literal];
    if (next && at >= next.end) {
      literal += 1;
    } else if (next && at >= next.start) {
      at = next.end;
    } else if (text.startsWith("/*", at) || text.startsWith("//", at)) {
      const isBlock = text[at + 1] === "*";
      const found = text.indexOf(isBlock ? "*/" : "\n", at + 2);
      const end = found < 0 ? text.length : found + (isBlock ? 2 : 0);
      const last = spans.at(-1);
      const continues =
        !isBlock && last && text.startsWith("//", last.start) && /^\n[ \t]*$/.test(text.slice(last.end, at));
      if (continues) spans[spans.length - 1] = { start: last.start, end };
      else spans.push({ start: at, end });
      at = end;
    } else {
      const slash = text.indexOf("/", at + 1);
      at = Math.min(slash < 0 ? text.length : slash, next?.start ?? text.length);
    }
  }
  return spans;
}

/** Returns the line of code with or below the comment at `index`, without comments. */
function subjectLine(text: string, spans: readonly Span[], index: number): string {
  const { start, end } = spans[index] as Span;
  const lineStart = text.lastIndexOf("\n", start - 1) + 1;
  const lineEndAfter = (position: number): number => {
    const found = text.indexOf("\n", position);
    return found < 0 ? text.length : found;
  };
  const ownLine = `${text.slice(lineStart, start)}${text.slice(end, lineEndAfter(end))}`.trim();
  if (ownLine !== "") return ownLine;
  let at = end;
  for (const next of spans.slice(index + 1)) {
    if (text.slice(at, next.start).trim() !== "") break;
    at = next.end;
  }
  const codeStart = at + text.slice(at).search(/\S|$/);
  const code = text.slice(codeStart, lineEndAfter(codeStart));
  const trailing = spans.find((span) => span.start > codeStart && span.start < codeStart + code.length);
  return (trailing ? text.slice(codeStart, trailing.start) : code).trim();
}

export function sourceTextOf(file: SourceFile): SourceText {
  const { path, text } = file;
  const source = parseSource(file);
  const lineOf = (position: number): number => source.getLineAndCharacterOfPosition(position).line + 1;
  const literals: Span[] = [];
  const names: Prose[] = [];
  const testNames: Prose[] = [];
  const fullTestNames: Prose[] = [];
  const groups: string[] = [];
  const visit = (node: ts.Node): void => {
    if (isTextual(node)) literals.push({ start: node.getStart(source), end: node.end });
    const { name } = node as { name?: ts.Node };
    if (isDeclaration(node) && name && (ts.isIdentifier(name) || ts.isPrivateIdentifier(name))) {
      names.push({ line: lineOf(name.getStart(source)), text: name.text });
    }
    const test = testNameOf(node);
    const text = test?.name.getText(source).slice(1, -1).replace(/\\(.)/g, "$1");
    if (!test || text === undefined) {
      ts.forEachChild(node, visit);
      return;
    }
    const line = lineOf(test.name.getStart(source));
    testNames.push({ line, text });
    if (!test.isGroup) fullTestNames.push({ line, text: [...groups, text].join(" > ") });
    groups.push(text);
    ts.forEachChild(node, visit);
    groups.pop();
  };
  visit(source);
  literals.sort((one, other) => one.start - other.start);
  const spans = commentSpans(text, literals);
  const [first] = spans;
  const opens = first !== undefined && /^(#!.*\n)?\s*$/.test(text.slice(0, first.start));
  const prose = spans.map(({ start, end }, index) => ({
    line: lineOf(start),
    text: withoutMarkers(text.slice(start, end)),
    subject: opens && index === 0 ? basename(path) : subjectLine(text, spans, index),
  }));
  return {
    header: opens && text.startsWith("/*", first.start) ? prose[0] : undefined,
    comments: prose.filter((comment) => comment.text !== "" && !DIRECTIVE.test(comment.text)),
    names,
    testNames,
    fullTestNames,
  };
}

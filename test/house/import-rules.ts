/**
 * The import rules of the architecture, and a check of source files against them. Folders import in one
 * direction, machines ← store ← actors ← gateway; leaf folders import only machines. Each npm package, and
 * the global `Bun`, may be used only in a few places.
 */
import { dirname, join, normalize } from "node:path";
import ts from "typescript";
import { kinds } from "../../machines/actor-kinds.ts";
import { parseSource, type SourceFile } from "./read-comments-and-names-in-source.ts";

/** The place and description of a violated rule, such as `gateway/http-application.ts:12: …`. */
export type Violation = string;

const LEAVES = ["browser", "egress", "reading", "planning", "models", "streaming"];

/** Folders of the gateway that contain interfaces, through which callers use tools. */
const SURFACES = ["rest", "mcp", "socket", "console"];

/**
 * The subfolders of large folders in `machines`, in layers with the lowest first. A file may import files of its own
 * subfolder, of subfolders before it in the list, and files that are directly in the large folder.
 */
export const SUBFOLDERS: Readonly<Record<string, readonly string[]>> = {
  "machines/session": ["outputs", "page", "controls", "state", "actions"],
  "machines/exploration": ["crawl", "press"],
  "machines/dialogue": ["words", "task", "elements", "values", "plan", "clauses", "checks", "planner"],
  "machines/knowledge": [
    "addresses",
    "screens",
    "transitions",
    "page-groups",
    "site-map",
    "tasks",
    "documents",
    "gaps",
    "formats",
  ],
};

/**
 * The places where each npm package may be imported, except in tests. `folder/` includes subfolders, and
 * `folder/*` does not.
 */
const HOMES: Readonly<Record<string, readonly string[]>> = {
  xstate: ["machines/", "actors/*", "actors/runtime/"],
  zod: ["machines/", "store/", "actors/", "gateway/"],
  surrealdb: ["store/"],
  "@surrealdb/node": ["store/"],
  nats: ["actors/runtime/drivers/nats/"],
  playwright: ["actors/browser/"],
  esbuild: ["actors/browser/page-script/page-script-bundle.ts", "gateway/console/console-bundle.ts"],
  stemmer: ["machines/word-stem.ts"],
  tldts: ["actors/exploration/crawl/registrable-domain.ts"],
  htmlparser2: ["actors/reading/"],
  entities: ["actors/reading/"],
  unpdf: ["actors/reading/documents/"],
  yaml: ["actors/reading/documents/"],
  openai: ["actors/models/"],
  "@google/genai": ["actors/models/"],
  // These packages are native code and write to stdout, so they run in a separate process.
  "@livekit/rtc-node": ["actors/streaming/video-publisher-process.ts"],
  "livekit-server-sdk": ["actors/streaming/livekit-access-token.ts"],
  sharp: ["actors/streaming/video-publisher-process.ts"],
  elysia: ["gateway/"],
  "@elysiajs/openapi": ["gateway/http-application.ts"],
  "@elysiajs/eden": ["gateway/rest-client.ts"],
  "swagger-ui-dist": ["gateway/docs/"],
  redoc: ["gateway/docs/"],
  elkjs: ["gateway/console/chart/"],
  preact: ["gateway/console/app/"],
  "@xstate/store": ["gateway/console/app/"],
  "d3-hierarchy": ["gateway/console/app/map/map-drawing-layout.ts"],
  marked: ["gateway/docs/"],
  pino: ["gateway/log.ts"],
  bullmq: ["gateway/edge/"],
  ioredis: ["gateway/edge/"],
  "@modelcontextprotocol/server": ["gateway/mcp/"],
};

/**
 * For each platform API that opens connections: the only place in `actors` that may use it. A connection that
 * another place opens would not be subject to the egress policy.
 */
const WAYS_OUT: Readonly<Record<string, string>> = {
  fetch: "actors/reading/fetch/http-exchange.ts",
  "node:net": "actors/egress/",
  "node:http": "actors/egress/",
  "node:https": "actors/egress/",
  "node:http2": "actors/egress/",
  "node:tls": "actors/egress/",
  "node:dgram": "actors/egress/",
  "node:dns": "actors/egress/",
  "node:dns/promises": "actors/egress/",
};

const BUN_GLOBAL_IN = ["actors/runtime/platform.ts", "gateway/main.ts", "test/"];
/** Names of functions and modules that use I/O, the clock or random numbers. Pure files must not use them. */
const IMPURE: readonly (readonly [RegExp, string])[] = [
  [/^Date\.now$/, "the clock"],
  [/^performance\.now$/, "the clock"],
  [/^Math\.random$/, "chance"],
  [/^crypto\./, "chance"],
  [/^(fetch|setTimeout|setInterval|queueMicrotask)$/, "the world"],
  [/^process\./, "the process"],
  [/^console\./, "the terminal"],
];

function within(path: string, places: readonly string[]): boolean {
  return places.some((place) => {
    if (place.endsWith("/*")) return dirname(path) === place.slice(0, -2);
    return place.endsWith("/") ? path.startsWith(place) : path === place;
  });
}

/**
 * The only file with code that depends on the JavaScript runtime (Bun, Node or Deno). Folders of `LEAVES` that start a
 * thread may import it. The architecture of the project names this path, so the file keeps it.
 */
const PLATFORM = "actors/runtime/platform.ts";

/** Returns why the file `from` may not import the file `to`; `undefined` if it may. */
function againstTable(from: string, to: string): string | undefined {
  const [top = "", second = ""] = from.split("/");
  const [toTop = "", toSecond = ""] = to.split("/");
  if (to === "package.json") {
    return ["gateway", "test"].includes(top) ? undefined : "package.json is read by the gateway only";
  }
  switch (top) {
    case "machines":
      return toTop === "machines" ? againstSubfolders(from, to) : "machines import machines only";
    case "store":
      return ["machines", "store"].includes(toTop) ? undefined : "store imports machines and store only";
    case "gateway":
      if (second === "tools" && toTop === "gateway" && SURFACES.includes(toSecond))
        return `tools are the same on every surface: they import nothing of ${SURFACES.join(", ")}`;
      if (["machines", "gateway"].includes(toTop) || to === "actors/index.ts") return undefined;
      return "the gateway reaches actors through actors/index.ts only, and the store through them";
    case "actors":
      return againstActors(second, to, toTop, toSecond);
    default:
      return undefined;
  }
}

function againstSubfolders(from: string, to: string): string | undefined {
  const folder = from.split("/").slice(0, 2).join("/");
  const order = SUBFOLDERS[folder];
  const [own, used] = [from, to].map((path) => subfolderOf(folder, path));
  if (order === undefined || own === undefined || used === undefined) return undefined;
  if (order.indexOf(used) <= order.indexOf(own)) return undefined;
  return `${folder}/${own} imports nothing of ${used}, which is built on it`;
}

/** Returns the subfolder of a folder that contains a file; `undefined` for a file of another folder, or of none. */
function subfolderOf(folder: string, path: string): string | undefined {
  const inside = path.startsWith(`${folder}/`) ? path.slice(folder.length + 1).split("/") : [];
  return inside.length > 1 ? inside[0] : undefined;
}

/** Returns the actor kind to which a folder in `actors/` belongs; `undefined` for other folders. */
function kindOf(folder: string): string | undefined {
  return Object.hasOwn(kinds, folder) ? folder : undefined;
}

function againstActors(second: string, to: string, toTop: string, toSecond: string): string | undefined {
  if (toTop === "gateway" || toTop === "test") return `actors do not know ${toTop}`;
  if (toTop === "machines") return undefined;
  if (LEAVES.includes(second)) {
    if ((toTop === "actors" && toSecond === second) || to === PLATFORM) return undefined;
    return `${second} is a leaf: it imports machines, itself and ${PLATFORM} only`;
  }
  if (second === "runtime") {
    if (toTop === "store" || toSecond === "runtime") return undefined;
    return "the runtime knows no kind and no leaf: it imports machines, store and itself only";
  }
  const kind = kindOf(second);
  const toKind = toTop === "actors" ? kindOf(toSecond) : undefined;
  if (kind !== undefined && toKind !== undefined && kind !== toKind) {
    return "two kinds talk by messages only";
  }
  return undefined;
}

/**
 * Returns the npm package of an import specifier; `undefined` for a relative path or a module of the
 * platform.
 */
function packageOf(specifier: string): string | undefined {
  if (/^(\.|node:|bun$|bun:)/.test(specifier)) return undefined;
  const parts = specifier.split("/");
  return specifier.startsWith("@") ? parts.slice(0, 2).join("/") : parts[0];
}

function wayOutProblem(path: string, what: string): string | undefined {
  const home = WAYS_OUT[what];
  if (!path.startsWith("actors/") || home === undefined || within(path, [home])) return undefined;
  return `${what} is used in ${home} only, where the egress policy is asked`;
}

function againstPackages(
  path: string,
  specifier: string,
  dependencies: ReadonlySet<string>,
): string | undefined {
  if (/^bun(:|$)/.test(specifier)) {
    return within(path, BUN_GLOBAL_IN) ? undefined : `${specifier} belongs in ${BUN_GLOBAL_IN.join(", ")}`;
  }
  if (specifier.startsWith("node:")) {
    const way = wayOutProblem(path, specifier);
    if (way !== undefined) return way;
    return path.startsWith("machines/") ? "machines are pure: no node: module" : undefined;
  }
  const name = packageOf(specifier);
  if (name === undefined) return undefined;
  if (!dependencies.has(name)) return `${name} is not among the dependencies of package.json`;
  const homes = HOMES[name];
  if (homes === undefined) return `${name} has no home in the import table; give it one`;
  return within(path, homes) ? undefined : `${name} is imported in ${homes.join(", ")} only`;
}

/** Returns the text of a property access such as `a.b`. */
function dotted(node: ts.Node): string {
  return ts.isPropertyAccessExpression(node)
    ? `${dotted(node.expression)}.${node.name.text}`
    : node.getText();
}

/**
 * Whether an identifier is used as a value or a type. Property names and names in declarations are not uses.
 */
function isUse(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) return parent.expression === node;
  if (ts.isPropertyAssignment(parent) || ts.isPropertySignature(parent)) return parent.name !== node;
  return !ts.isImportSpecifier(parent) && !ts.isQualifiedName(parent);
}

function hasDefaultModifier(node: ts.Node): boolean {
  return (
    ts.canHaveModifiers(node) &&
    (ts.getModifiers(node) ?? []).some(({ kind }) => kind === ts.SyntaxKind.DefaultKeyword)
  );
}

function specifierOf(node: ts.Node): ts.StringLiteralLike | undefined {
  if ((ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) && node.moduleSpecifier) {
    return ts.isStringLiteralLike(node.moduleSpecifier) ? node.moduleSpecifier : undefined;
  }
  if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
    const [argument] = node.arguments;
    return argument && ts.isStringLiteralLike(argument) ? argument : undefined;
  }
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
    return ts.isStringLiteralLike(node.argument.literal) ? node.argument.literal : undefined;
  }
  return undefined;
}

function isDefaultExport(node: ts.Node): boolean {
  return (
    (ts.isExportAssignment(node) && node.isExportEquals !== true) ||
    hasDefaultModifier(node) ||
    (ts.isExportSpecifier(node) && node.name.text === "default")
  );
}

function importProblem(
  path: string,
  specifier: string,
  dependencies: ReadonlySet<string>,
): string | undefined {
  if (!specifier.startsWith(".")) {
    return path.startsWith("test/") ? undefined : againstPackages(path, specifier, dependencies);
  }
  if (!/\.(ts|tsx|json|mjs|css|surql)$/.test(specifier)) return `"${specifier}" needs its extension`;
  return againstTable(path, normalize(join(dirname(path), specifier)));
}

function impurity(node: ts.Node): string | undefined {
  if (ts.isNewExpression(node) && node.expression.getText() === "Date" && !node.arguments?.length) {
    return "new Date() is the clock";
  }
  if (!ts.isPropertyAccessExpression(node) && !(ts.isIdentifier(node) && isUse(node))) return undefined;
  const name = dotted(node);
  const found = IMPURE.find(([pattern]) => pattern.test(name));
  return found ? `${name} is ${found[1]}` : undefined;
}

/** Returns all violations of import rules in one file. */
export function violationsIn(file: SourceFile, dependencies: ReadonlySet<string>): readonly Violation[] {
  const source = parseSource(file);
  const found: Violation[] = [];
  const report = (node: ts.Node, problem: string): void => {
    const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
    found.push(`${file.path}:${line + 1}: ${problem}`);
  };
  const visit = (node: ts.Node): void => {
    const specifier = specifierOf(node);
    if (specifier) {
      const problem = importProblem(file.path, specifier.text, dependencies);
      if (problem) report(node, problem);
    }
    if (isDefaultExport(node)) report(node, "no default exports");
    if (ts.isIdentifier(node) && node.text === "Bun" && isUse(node) && !within(file.path, BUN_GLOBAL_IN)) {
      report(node, `the Bun global belongs in ${BUN_GLOBAL_IN.join(", ")}`);
    }
    if (ts.isIdentifier(node) && node.text === "fetch" && isUse(node)) {
      const problem = wayOutProblem(file.path, "fetch");
      if (problem) report(node, problem);
    }
    if (file.path.startsWith("machines/")) {
      const problem = impurity(node);
      if (problem) report(node, `machines are pure, and ${problem}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return [...found, ...shapeProblems(file)];
}

/** Returns the violations that concern a file's name or its header. */
function shapeProblems({ path, text }: SourceFile): readonly Violation[] {
  const problems: Violation[] = [];
  if (/(^|\/)(utils?|helpers?|common|misc)(\/|\.)/.test(path))
    problems.push(`${path}:1: a file is named by its concept`);
  // A test file needs no header, because the names of its tests state what it is for.
  const opened = /^(#!.*\n)?\/\*\*/.test(text) || path.endsWith(".test.ts");
  if (!opened) problems.push(`${path}:1: a file opens by saying what it is for`);
  return problems;
}

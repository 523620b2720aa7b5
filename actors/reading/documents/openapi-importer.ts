/**
 * Imports descriptions of HTTP APIs (OpenAPI 3 and Swagger 2, as JSON or YAML). Each operation becomes one
 * passage.
 */
import { isRecord } from "../../../machines/is-plain-object.ts";
import type { Passage } from "../../../machines/knowledge/documents/split-passages.ts";
import type { Importer } from "./document-importer-interface.ts";
import { textOfDocument, titleOfName, unreadable } from "./document-text-and-title.ts";

export const openapiTypes = ["application/vnd.oai.openapi+json", "application/vnd.oai.openapi"] as const;

const METHODS = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];

type Node = Readonly<Record<string, unknown>>;

export const openapiImporter: Importer = {
  kind: "openapi",
  accepts: (type) => openapiTypes.some((known) => known === type),
  async read(document) {
    const root = await parsed(textOfDocument(document), document.mediaType.endsWith("json"), (why) =>
      unreadable(document, why),
    );
    const paths = nodeOf(root.paths);
    if (typeof (root.openapi ?? root.swagger) !== "string" || !paths)
      throw unreadable(document, "it has no openapi or swagger version, or no paths");
    const info = nodeOf(root.info) ?? {};
    const title = text(info.title) || titleOfName(document.name);
    const passages: Passage[] = [];
    if (text(info.description) !== "")
      passages.push({ headings: [title], content: text(info.description), location: "#/info" });
    for (const [path, given] of Object.entries(paths)) {
      const item = resolved(given, root);
      for (const method of METHODS) {
        const operation = resolved(item?.[method], root);
        if (operation)
          passages.push(operationPassage({ title, path, method, item: item ?? {}, operation, root }));
      }
    }
    if (passages.length === 0) throw unreadable(document, "it describes no operation");
    return { title, passages, tasks: [], content_type: "api_docs" };
  },
};

async function parsed(source: string, isJson: boolean, fail: (why: string) => Error): Promise<Node> {
  try {
    // The YAML parser is loaded only for YAML. It could also read JSON, but more slowly than `JSON.parse`.
    const value: unknown = isJson ? JSON.parse(source) : (await import("yaml")).parse(source);
    const node = nodeOf(value);
    if (node) return node;
  } catch (error) {
    throw fail(
      error instanceof Error ? (error.message.split("\n")[0] ?? "").replace(/[.:]$/, "") : String(error),
    );
  }
  throw fail("it is no object");
}

interface Operation {
  readonly title: string;
  readonly path: string;
  readonly method: string;
  readonly item: Node;
  readonly operation: Node;
  readonly root: Node;
}

function operationPassage({ title, path, method, item, operation, root }: Operation): Passage {
  const name = text(operation.summary) || text(operation.operationId) || `${method.toUpperCase()} ${path}`;
  const parameters = [...list(item.parameters), ...list(operation.parameters)].flatMap((one): Node[] => {
    const node = resolved(one, root);
    return node ? [node] : [];
  });
  const body = resolved(operation.requestBody, root);
  const lines = [
    `${method.toUpperCase()} ${path}`,
    text(operation.summary),
    text(operation.description),
    list(operation.tags).length > 0 ? `Tags: ${list(operation.tags).map(String).join(", ")}` : "",
    ...parameters.map(parameterLine),
    ...bodyLines(body, root),
    ...Object.entries(nodeOf(operation.responses) ?? {}).map(
      ([status, answer]) => `Answers ${status}: ${text(resolved(answer, root)?.description)}`,
    ),
  ];
  const pointer = path.replace(/~/g, "~0").replace(/\//g, "~1");
  return {
    headings: [title, name],
    content: lines.filter((line) => line !== "").join("\n"),
    location: `#/paths/${pointer}/${method}`,
  };
}

function parameterLine(parameter: Node): string {
  const needed = parameter.required === true ? ", required" : "";
  return `Parameter ${text(parameter.name)} (${text(parameter.in)}${needed}): ${text(parameter.description)}`;
}

function bodyLines(body: Node | undefined, root: Node): readonly string[] {
  const [media] = Object.values(nodeOf(body?.content) ?? {});
  const schema = resolved(nodeOf(media)?.schema, root);
  const required = new Set(list(schema?.required).map(String));
  return Object.entries(nodeOf(schema?.properties) ?? {}).map(([name, property]) => {
    const own = resolved(property, root);
    return `Field ${name}${required.has(name) ? " (required)" : ""}: ${text(own?.description) || text(own?.type)}`;
  });
}

const MAX_REFERENCES = 20;

/**
 * Follows `$ref` references inside of the document. Returns the node at their end, which is the given node
 * when it is not a reference.
 */
function resolved(value: unknown, root: Node): Node | undefined {
  let node = nodeOf(value);
  for (let hop = 0; node && hop < MAX_REFERENCES; hop++) {
    const reference: unknown = node.$ref;
    if (typeof reference !== "string") return node;
    if (!reference.startsWith("#/")) return undefined;
    let at: unknown = root;
    for (const part of reference.slice(2).split("/"))
      at = nodeOf(at)?.[part.replace(/~1/g, "/").replace(/~0/g, "~")];
    node = nodeOf(at);
  }
  return undefined;
}

function nodeOf(value: unknown): Node | undefined {
  return isRecord(value) ? value : undefined;
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function text(value: unknown): string {
  return typeof value === "string" ? value.trim() : "";
}

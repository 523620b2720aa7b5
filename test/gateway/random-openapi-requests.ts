/**
 * Generates random requests from an OpenAPI document: valid, slightly invalid, and hostile ones. fast-check
 * generates them, so a run can be repeated by its random seed, and a failure is reduced to the smallest
 * failing request.
 */
import fc from "fast-check";
import { gatewayLimits } from "../../gateway/gateway-limits.ts";

export interface FuzzedRequest {
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

type Schema = Readonly<Record<string, unknown>>;

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly schema: Schema }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
  readonly responses: Readonly<Record<string, unknown>>;
}

export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

export interface FuzzedTool {
  readonly name: string;
  readonly inputSchema: Schema;
}

/**
 * URLs that are used as arguments of requests. None of them makes Cairn send a request to another machine.
 */
const URLS = [
  "https://shop.invalid/orders?page=2#top",
  "http://127.0.0.1:1/",
  "http://[::1]:1/",
  "http://169.254.169.254/latest/meta-data/",
  "http://0x7f000001:1/",
  "file:///etc/passwd",
  "javascript:alert(1)",
  "data:text/html,<p>hi",
  "//shop.invalid",
  "http://a:b@shop.invalid/",
  `http://${"a".repeat(300)}.invalid/`,
  "http://%zz/",
];

const NASTY = [
  "",
  " ",
  "\u0000",
  "../../../../etc/passwd",
  "..%2f..%2fetc%2fpasswd",
  "__proto__",
  "constructor",
  "'; DELETE job; --",
  "{{7*7}}",
  "$HOME",
  "<script>alert(1)</script>",
  "%00",
  "\u202e\ufeff\uffff",
  "😀".repeat(40),
  "a".repeat(5_000),
  "0",
  "-1",
  "1e309",
  "NaN",
  "*",
  ">",
  "a.b.c",
];

const anyText = fc.oneof(fc.constantFrom(...NASTY), fc.string(), fc.string({ unit: "binary" }));
const anyUrl = fc.oneof(
  fc.constantFrom(...URLS),
  anyText.map((text) => `https://shop.invalid/${text}`),
);
const anyValue = fc.oneof(
  anyText,
  fc.constantFrom<unknown>(null, true, -1, 0, 1.5, 1e21, Number.MAX_SAFE_INTEGER + 1, [], {}, [[[]]], [null]),
  fc.jsonValue({ maxDepth: 3 }),
);

/** Ids for the generated requests. Some are ids of sessions, jobs and maps that exist during the test. */
const MEANT: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  room_name: fc.constantFrom("fuzz-1", "fuzz 2/ü"),
  session_id: fc.constantFrom("fuzz-1", "fuzz 2/ü"),
  job_id: fc.constantFrom("fuzz-job", "job/2"),
  knowledge_id: fc.constantFrom("fuzz-map", "shop"),
  recording_id: fc.constantFrom("rec-1", "rec:⟨x⟩"),
  kind: fc.constantFrom("exploration", "session", "host", "janitor", "Nothing"),
  id: fc.constantFrom("fuzz-job", "store", "x", "a/b"),
  action_type: fc.constantFrom(
    "navigate",
    "click",
    "type",
    "scroll",
    "wait",
    "screenshot",
    "save_as_pdf",
    "login",
  ),
  params: fc.constantFrom<unknown>(
    {},
    { url: "http://127.0.0.1:1/" },
    { index: 0 },
    { query: "x" },
    { text: "y" },
  ),
  query_type: fc.constantFrom(
    "page",
    "search",
    "links",
    "sitemap_semantic",
    "sitemap_functional",
    "navigate_to",
  ),
  instruction_type: fc.constantFrom("navigate_to_screen", "find_screen", "get_actions", "explore_website"),
  max_pages: fc.constantFrom(1, 2),
};

function integer(schema: Schema): fc.Arbitrary<number> {
  const least = Math.ceil(Number(schema.minimum ?? schema.exclusiveMinimum ?? -10));
  const most = Math.floor(Number(schema.maximum ?? schema.exclusiveMaximum ?? least + 1_000));
  return fc.integer({ min: least, max: Math.max(least, Math.min(most, 2 ** 31 - 1)) });
}

function object(schema: Schema, depth: number): fc.Arbitrary<unknown> {
  const properties = Object.entries((schema.properties ?? {}) as Readonly<Record<string, Schema>>);
  const required = Array.isArray(schema.required) ? (schema.required as readonly string[]) : [];
  const make = (names: readonly string[]) => {
    const wanted = properties.filter(([name]) => names.includes(name));
    const model = wanted.map(([name, inner]) => [name, MEANT[name] ?? valid(inner, depth - 1)]);
    return fc.record(Object.fromEntries(model));
  };
  const optional = properties.map(([name]) => name).filter((name) => !required.includes(name));
  // Most generated requests have a `room_name`, because requests about sessions need it.
  const named = optional.includes("room_name") ? [...required, "room_name"] : required;
  // Only a few optional fields get random values. If many did, nearly every request would be invalid.
  const some = fc.subarray(optional, { maxLength: Math.min(optional.length, depth > 0 ? 3 : 0) });
  return some.chain((more) => make([...named, ...more]));
}

/** Generates a value that in most cases matches the schema. Patterns of the schema are ignored. */
function valid(schema: Schema, depth = 4): fc.Arbitrary<unknown> {
  const choices = [schema.anyOf, schema.oneOf].find(Array.isArray) as readonly Schema[] | undefined;
  if (choices) return fc.oneof(...choices.map((choice) => valid(choice, depth)));
  if (Array.isArray(schema.allOf)) {
    const parts = (schema.allOf as readonly Schema[]).map((part) => valid(part, depth));
    return fc.tuple(...parts).map((all) => Object.assign({}, ...all));
  }
  if ("const" in schema) return fc.constant(schema.const);
  if (Array.isArray(schema.enum)) return fc.constantFrom(...schema.enum);
  switch (Array.isArray(schema.type) ? schema.type[0] : schema.type) {
    case "string":
      return schema.format === "uri" || /url/i.test(String(schema.description))
        ? anyUrl
        : fc.oneof(anyText, anyUrl);
    case "integer":
    case "number":
      return integer(schema);
    case "boolean":
      return fc.boolean();
    case "null":
      return fc.constant(null);
    case "array":
      return fc.array(valid((schema.items ?? {}) as Schema, depth - 1), {
        maxLength: depth > 0 ? 3 : 0,
      });
    case "object":
      return object(schema, depth);
    default:
      return depth > 0 ? anyValue : fc.constant(null);
  }
}

/** Returns a copy of a value in which one field, at any depth, is replaced. */
function bent(value: unknown, at: number, instead: unknown): unknown {
  if (typeof value !== "object" || value === null) return instead;
  const names = Object.keys(value);
  const name = names[at % Math.max(1, names.length)];
  if (name === undefined) return instead;
  const inner: unknown = Reflect.get(value, name);
  const changed = at % 3 === 0 ? instead : bent(inner, Math.floor(at / 3), instead);
  if (Array.isArray(value)) return value.map((item, index) => (String(index) === name ? changed : item));
  return { ...value, [name]: changed };
}

/** Generates a body as text. The body may be valid by the schema, invalid, or not JSON. */
export function bodyOf(schema: Schema): fc.Arbitrary<string> {
  const right = valid(schema);
  const written = right.map((value) => JSON.stringify(value) ?? "null");
  return fc.oneof(
    { weight: 5, arbitrary: written },
    {
      weight: 5,
      arbitrary: fc
        .tuple(right, fc.nat(200), anyValue)
        .map(([value, at, instead]) => JSON.stringify(bent(value, at, instead)) ?? "null"),
    },
    { weight: 2, arbitrary: anyValue.map((value) => JSON.stringify(value) ?? "") },
    { weight: 2, arbitrary: fc.tuple(written, fc.nat(300)).map(([text, length]) => text.slice(0, length)) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        "",
        "null",
        "[".repeat(20_000),
        '{"a":'.repeat(5_000),
        '{"__proto__":{"job_id":"x"},"constructor":{"prototype":1}}',
        `{"start_url":"${"x".repeat(gatewayLimits.bodyBytes)}"}`,
        "\ud800",
        "a=1&b=2",
      ),
    },
  );
}

const anyHeaders = fc.oneof(
  { weight: 6, arbitrary: fc.constant({ "content-type": "application/json" }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom<Record<string, string>>(
      {},
      { "content-type": "text/plain" },
      { "content-type": "multipart/form-data; boundary=x" },
      { "content-type": "application/x-www-form-urlencoded" },
      { "content-type": "application/json; charset=utf-16" },
      { "content-type": "application/json", "content-encoding": "gzip" },
      { "content-type": "application/json", accept: "text/html" },
      { "content-type": "application/json", "x-request-id": "not one: \t" },
      { "content-type": "application/json", "idempotency-key": "fuzz" },
      { "content-type": "application/json", "idempotency-key": "a b" },
    ),
  },
);

/** Generates a path segment, mostly percent-encoded and sometimes not. */
function segment(name: string, schema: Schema): fc.Arbitrary<string> {
  const meant = MEANT[name] ?? valid(schema);
  const encoded = fc.oneof(meant, anyText).map((value) => encodeURIComponent(String(value).slice(0, 2_000)));
  return fc.oneof(
    { weight: 8, arbitrary: encoded.map((text) => (text === "" || /^\.+$/.test(text) ? "x" : text)) },
    { weight: 1, arbitrary: fc.constantFrom("%E0%A4%A", "%zz", "%00", "%2e%2e%2f", "a%2Fb", "~!*'()") },
  );
}

function requestOf(
  method: string,
  path: string,
  { operationId, parameters = [], requestBody }: Operation,
  tools: readonly FuzzedTool[],
): fc.Arbitrary<FuzzedRequest> {
  const inPath = parameters.filter((parameter) => parameter.in === "path");
  const inQuery = parameters.filter((parameter) => parameter.in === "query");
  const segments = fc.tuple(...inPath.map(({ name, schema }) => segment(name, schema)));
  const query = fc.record(
    Object.fromEntries(inQuery.map(({ name, schema }) => [name, fc.oneof(valid(schema), anyValue)])),
    { requiredKeys: [] },
  );
  const schema = requestBody?.content["application/json"]?.schema;
  const ofTool = fc
    .constantFrom(...tools)
    .chain(({ name, inputSchema }) =>
      bodyOf(inputSchema).map((args) => `{"tool":"${name}","arguments":${args}}`),
    );
  const body: fc.Arbitrary<string | undefined> =
    schema === undefined
      ? fc.constant(undefined)
      : operationId === "callTool"
        ? fc.oneof({ weight: 1, arbitrary: bodyOf(schema) }, { weight: 12, arbitrary: ofTool })
        : bodyOf(schema);
  return fc.record({ segments, query, body, headers: anyHeaders }).map((made) => {
    const names = [...made.segments];
    const search = new URLSearchParams(
      Object.entries(made.query).map(([name, value]) => [
        name,
        String(Object(value) === value ? JSON.stringify(value) : value),
      ]),
    ).toString();
    return {
      operationId,
      method,
      path: path.replace(/\{\w+\}/g, () => names.shift() ?? "x") + (search === "" ? "" : `?${search}`),
      headers: made.body === undefined ? {} : made.headers,
      body: made.body,
    };
  });
}

const METHODS = ["get", "put", "post", "delete", "patch"];

/**
 * Generates requests to every operation of an OpenAPI document. The arguments of tool calls are generated
 * from the schemas of the tools.
 */
export function requestsOf(document: Document, tools: readonly FuzzedTool[]): fc.Arbitrary<FuzzedRequest> {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([method]) => METHODS.includes(method))
      .map(([method, operation]) => ({
        // The tests send most requests to the operation that calls tools, because it can call every tool.
        weight: operation.operationId === "callTool" ? 20 : operation.requestBody ? 3 : 1,
        arbitrary: requestOf(method.toUpperCase(), path, operation, tools),
      })),
  );
  return fc.oneof(...operations);
}

/** Returns the HTTP statuses that the OpenAPI document lists for an operation. */
export function statusesOf(document: Document, operationId: string): readonly number[] {
  const all = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  return Object.keys(all.find((each) => each.operationId === operationId)?.responses ?? {}).map(Number);
}

/** Generates MCP messages of both revisions. Their calls use the same tools as the REST requests. */
export function messagesOf(tools: readonly FuzzedTool[]): fc.Arbitrary<FuzzedRequest> {
  const method = fc.oneof(
    fc.constantFrom(
      "initialize",
      "tools/list",
      "resources/read",
      "resources/subscribe",
      "server/discover",
      "ping",
    ),
    anyText,
  );
  const call = fc
    .constantFrom(...tools)
    .chain(({ name, inputSchema }) => valid(inputSchema).map((args) => ({ name, arguments: args })));
  const uri = anyText.map((text) => ({ uri: `cairn://sessions/${text}` }));
  const message = fc.oneof(
    call.map((params) => ({ jsonrpc: "2.0", id: 1, method: "tools/call", params })),
    fc
      .tuple(method, fc.oneof(uri, anyValue))
      .map(([name, params]) => ({ jsonrpc: "2.0", id: 1, method: name, params })),
    anyValue,
  );
  const revision = fc.constantFrom("2025-06-18", "2025-11-25", "2026-07-28", "never");
  return fc.tuple(message, revision, fc.boolean()).map(([given, version, session]) => ({
    operationId: "mcp",
    method: "POST",
    path: "/mcp",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": version,
      ...(session ? { "mcp-session-id": "none" } : {}),
    },
    body: JSON.stringify(given) ?? "",
  }));
}

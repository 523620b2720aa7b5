/**
 * Tests a running Cairn with valid, invalid and hostile requests, which are generated from its OpenAPI
 * document. Every answer must be documented, and none may contain a secret or a path of this machine.
 */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { homedir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import {
  type Document,
  type FuzzedRequest,
  type FuzzedTool,
  messagesOf,
  requestsOf,
  statusesOf,
} from "../../gateway/random-openapi-requests.ts";
import { Cairn, dataFolder } from "../support/cairn-test-process.ts";

const TIMEOUT = 120_000;
setDefaultTimeout(TIMEOUT);
/** Number of batches. The requests of a batch are sent at the same time. */
const RUNS = 300;
const AT_ONCE = 8;

const KEY = "admin-key-of-this-test";
const SECRET = "tops3cret-value-of-this-test";
const BROWSER = "/nowhere/at-all/chromium";
const ROOT = join(import.meta.dir, "../../..");

let data: Awaited<ReturnType<typeof dataFolder>>;
let cairn: Cairn;
let document: Document;
let tools: readonly FuzzedTool[];

const authorization = `Bearer ${KEY}`;

beforeAll(async () => {
  data = await dataFolder();
  const env = {
    // The requests are sent with ten keys in turn, so that no key exceeds its rate limit. Another test covers
    // the rate limit.
    CAIRN_API_KEYS: Array.from({ length: 10 }, (_, i) => `k${i}:admin:${KEY}-${i}`).join(","),
    CAIRN_API_KEY: KEY,
    CAIRN_SECRET_SHOP: SECRET,
    CAIRN_CHROMIUM: BROWSER,
    CAIRN_USER_AGENT: "Cairn-Test",
  };
  cairn = await Cairn.launch({ data: data.path, env });
  const until = Date.now() + TIMEOUT;
  const ready = () =>
    fetch(`${cairn.url}/ready`, { headers: { authorization } }).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await ready()) && Date.now() < until) await Bun.sleep(50);
  const get = async (path: string) => (await fetch(cairn.url + path, { headers: { authorization } })).json();
  document = (await get("/openapi.json")) as Document;
  const listed = (await get("/mcp/tools")) as { readonly tools: readonly FuzzedTool[] };
  // The tool `wait_for_exploration` is left out, because a call of it may take long.
  tools = listed.tools.filter(({ name }) => name !== "wait_for_exploration");
});
afterAll(async () => {
  await cairn?.stop();
  await data?.remove();
});

/** Returns the texts that no answer may contain. */
function secretTexts(): readonly string[] {
  return [KEY, SECRET, data.path, ROOT, homedir(), BROWSER, "node_modules", "CAIRN_SECRET_SHOP="];
}

let sent = 0;

interface Answered {
  readonly status: number;
  readonly text: string;
  readonly type: string;
}

/**
 * Sends a request. Checks that its answer is documented, is not an internal error and contains no secret
 * text.
 */
async function send({ operationId, method, path, headers, body }: FuzzedRequest): Promise<Answered> {
  sent += 1;
  const response = await fetch(cairn.url + path, {
    method,
    headers: { authorization: `Bearer ${KEY}-${sent % 10}`, ...headers },
    ...(body === undefined ? {} : { body }),
    redirect: "manual",
    signal: AbortSignal.timeout(30_000),
  });
  const text = await response.text();
  const { status } = response;
  expect([operationId, status, status < 500 || status === 503 || status === 504]).toEqual([
    operationId,
    status,
    true,
  ]);
  const answered = `${text}${JSON.stringify([...response.headers])}`;
  expect([operationId, secretTexts().filter((secret) => answered.includes(secret))]).toEqual([
    operationId,
    [],
  ]);
  expect([operationId, /\.ts:\d+|\n\s+at /.exec(answered)?.[0]]).toEqual([operationId, undefined]);
  return { status, text, type: response.headers.get("content-type") ?? "" };
}

async function check(request: FuzzedRequest): Promise<void> {
  const { operationId } = request;
  const { status, text, type } = await send(request);
  const known = statusesOf(document, operationId);
  expect([operationId, status, known.includes(status) ? [] : known]).toEqual([operationId, status, []]);
  if (status < 400 || type.includes("text/html") || operationId === "getReadiness") return;
  const { error, ...rest } = JSON.parse(text);
  expect([operationId, rest]).toEqual([operationId, {}]);
  expect(error.code).toMatch(/^[a-z_]+(\.[a-z_]+)?$/);
  expect(error.message).not.toBe("");
}

/**
 * A run that takes too long is interrupted before the timeout of its test and counts as failed, so that its seed and its
 * requests are printed.
 */
const bounds = { interruptAfterTimeLimit: TIMEOUT - 20_000, markInterruptAsFailure: true };

async function stillSound(): Promise<void> {
  expect((await fetch(`${cairn.url}/health`)).status).toBe(200);
  expect((await fetch(`${cairn.url}/ready`, { headers: { authorization } })).status).toBe(200);
  const { stderr, stdout } = cairn.output;
  expect(stderr.split("\n").filter((line) => /a request failed|a tool failed|crash/.test(line))).toEqual([]);
  expect([KEY, SECRET].filter((secret) => (stderr + stdout).includes(secret))).toEqual([]);
}

test("2,400 random requests to all routes and tools cause no internal error and reveal no secret and no path", async () => {
  const batches = fc.array(requestsOf(document, tools), { minLength: AT_ONCE, maxLength: AT_ONCE });
  await fc.assert(
    fc.asyncProperty(batches, async (batch) => void (await Promise.all(batch.map(check)))),
    { numRuns: RUNS, ...bounds },
  );
  expect(sent).toBeGreaterThanOrEqual(2_000);
  await stillSound();
});

test("random messages of the Model Context Protocol cause no internal error, and reveal no secret", async () => {
  const batches = fc.array(messagesOf(tools), { minLength: AT_ONCE, maxLength: AT_ONCE });
  await fc.assert(
    fc.asyncProperty(batches, async (batch) => void (await Promise.all(batch.map(send)))),
    { numRuns: 50, ...bounds },
  );
  await stillSound();
});

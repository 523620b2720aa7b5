/**
 * Tests that a request with any body gets an answer in JSON. An error has the documented shape and is never
 * an internal error.
 */
import { expect, setDefaultTimeout, test } from "bun:test";
import fc from "fast-check";
import { isFull } from "../test-run-tier-and-seed.ts";
import { testGateway } from "./test-gateway.ts";

/** Time limit in milliseconds. The test takes about three seconds, but longer on a busy machine. */
const PATIENCE = 60_000;
setDefaultTimeout(PATIENCE);

const posts = [
  "/mcp/tools/call",
  "/api/knowledge/explore/start",
  "/api/knowledge/explore/pause",
  "/api/knowledge/explore/resume",
  "/api/knowledge/explore/cancel",
  "/api/knowledge/query",
  "/api/knowledge/docs/query",
  "/knowledge/docs/query",
];

/** Generates bodies whose fields have names that the routes know. The values are arbitrary. */
const nearlyRight = fc.record(
  {
    tool: fc.oneof(
      fc.constantFrom("query_knowledge", "get_knowledge_results", "pause_exploration"),
      fc.jsonValue(),
    ),
    arguments: fc.jsonValue(),
    start_url: fc.jsonValue(),
    max_pages: fc.jsonValue(),
    max_depth: fc.jsonValue(),
    strategy: fc.jsonValue(),
    job_id: fc.jsonValue(),
    query_type: fc.jsonValue(),
    params: fc.jsonValue(),
    instruction_type: fc.jsonValue(),
    target: fc.jsonValue(),
    context: fc.jsonValue(),
    knowledge_id: fc.jsonValue(),
  },
  { requiredKeys: [] },
);

const anyBody = fc.oneof(
  fc.string(),
  fc.jsonValue().map((value) => JSON.stringify(value)),
  nearlyRight.map((value) => JSON.stringify(value)),
  // JSON text that is cut off at a random position.
  fc.tuple(nearlyRight, fc.nat(200)).map(([value, length]) => JSON.stringify(value).slice(0, length)),
  fc.constant('{"__proto__":{"job_id":"x"},"constructor":1,"tool":"toString","arguments":{"__proto__":1}}'),
  fc.constant("[".repeat(50_000)),
);

test("no request body causes a 500, and every error has the error shape", async () => {
  const { call } = testGateway();
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...posts), anyBody, async (path, body) => {
      const answer = await call("POST", path, body, { "content-type": "application/json" });
      expect([200, 400, 404, 409, 413, 422]).toContain(answer.status);
      if (answer.status !== 200) {
        expect(Object.keys(answer.body)).toEqual(["error"]);
        expect(answer.body.error.code).toMatch(/^[a-z_]+(\.[a-z_]+)?$/);
        expect(answer.body.error.message.length).toBeGreaterThan(0);
        expect(answer.body.error.message).not.toMatch(/\n\s+at |\.ts:\d/);
      }
    }),
    { numRuns: isFull ? 1_500 : 700 },
  );
});

test.if(isFull)("no content type, path or query string causes a 500", async () => {
  const { app } = testGateway();
  const segment = fc.string({ minLength: 1, maxLength: 20 }).map((text) => text.replace(/[#?]/g, "%"));
  const gets = fc.constantFrom(
    "/api/knowledge/explore/status/",
    "/api/knowledge/explore/results/",
    "/api/knowledge/",
    "/api/",
    "/",
  );
  await fc.assert(
    fc.asyncProperty(gets, segment, fc.webQueryParameters(), fc.string(), async (path, id, query, type) => {
      const contentType = /^[\x21-\x7e]+$/.test(type) ? type : "multipart/form-data";
      // Only the status is checked, because a random path may be the console's start page, which is HTML and not
      // JSON.
      const url = `http://127.0.0.1:8000${path}${id}?${query}`;
      const answer = await app.handle(new Request(url, { headers: { "content-type": contentType } }));
      expect(answer.status).toBeLessThan(500);
    }),
    { numRuns: 500 },
  );
});

test("a request body that is not UTF-8 is refused as request.bad_json", async () => {
  const { app } = testGateway();
  const body = new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]);
  const request = new Request("http://127.0.0.1/api/knowledge/query", { method: "POST", body });
  expect((await app.handle(request)).status).toBe(400);
});

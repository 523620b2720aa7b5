/** Tests health, readiness, OpenAPI and request ids. */
import { describe, expect, test } from "bun:test";
import { testGateway } from "./test-gateway.ts";

test("/health answers with the specified body, even while Cairn starts", async () => {
  const { app } = testGateway({ starting: true });
  const response = await app.handle(new Request("http://127.0.0.1/health"));
  expect(response.status).toBe(200);
  expect(await response.text()).toBe('{"status":"ok","service":"browser-automation-websocket"}');
});

describe("the readiness of a gateway", () => {
  test("is 503 while Cairn starts, and names what is missing", async () => {
    const { status, body } = await testGateway({ starting: true }).call("GET", "/ready");
    expect(status).toBe(503);
    expect(body).toMatchObject({ status: "not_ready", checks: { system: { ok: false } } });
  });

  test("is 200 when every check passes, and 503 when one fails", async () => {
    const gateway = testGateway();
    const ready = await gateway.call("GET", "/ready");
    expect(ready.status).toBe(200);
    expect(ready.body).toEqual({ status: "ready", checks: { store: { ok: true, detail: "open" } } });
    gateway.cairn.checks = { store: { ok: true, detail: "open" }, workers: { ok: false, detail: "1 of 2" } };
    const broken = await gateway.call("GET", "/ready");
    expect(broken.status).toBe(503);
    expect(broken.body.checks.workers).toEqual({ ok: false, detail: "1 of 2" });
  });
});

describe("a request while Cairn starts", () => {
  test("waits until Cairn has started, and then gets its response", async () => {
    const gateway = testGateway({ starting: true, patience: 60_000 });
    const waiting = gateway.call("GET", "/api/knowledge");
    gateway.slot.fill(gateway.cairn);
    expect((await waiting).status).toBe(200);
  });

  test("gets 503 if Cairn does not start in time", async () => {
    const { status, body, headers } = await testGateway({ starting: true, patience: 1 }).call(
      "GET",
      "/api/knowledge",
    );
    expect(status).toBe(503);
    expect(body.error.code).toBe("system.unavailable");
    expect(headers.get("retry-after")).not.toBeNull();
  });

  test("gets 503 at once when Cairn stops", async () => {
    const gateway = testGateway({ starting: true, patience: 60_000 });
    const waiting = gateway.call("GET", "/api/knowledge");
    gateway.slot.empty();
    expect((await waiting).status).toBe(503);
  });
});

describe("the request id", () => {
  test("is the id that the caller sent, even in error responses", async () => {
    const { call } = testGateway();
    for (const path of ["/health", "/nothing"]) {
      const { headers } = await call("GET", path, undefined, { "x-request-id": "trace-1" });
      expect(headers.get("x-request-id")).toBe("trace-1");
    }
  });

  test("is generated if the caller sends no id, or an id with characters that a log line must not contain", async () => {
    const { call } = testGateway();
    const first = (await call("GET", "/health")).headers.get("x-request-id");
    const second = (await call("GET", "/health", undefined, { "x-request-id": "a b" })).headers.get(
      "x-request-id",
    );
    expect(first).toMatch(/^[0-9a-f-]{36}$/);
    expect(second).toMatch(/^[0-9a-f-]{36}$/);
    expect(first).not.toBe(second);
  });
});

describe("the OpenAPI document", () => {
  test("describes every route with an operation id, a result and the error shape", async () => {
    const { status, body } = await testGateway().call("GET", "/openapi.json");
    expect(status).toBe(200);
    expect(body.openapi).toStartWith("3.1");
    expect(Object.keys(body.paths)).toEqual(
      expect.arrayContaining([
        "/health",
        "/mcp/tools/call",
        "/api/knowledge/explore/start",
        "/api/knowledge/explore/results/{job_id}",
        "/api/knowledge/{knowledge_id}/query",
        "/knowledge/{knowledge_id}/query",
      ]),
    );
    const ids: string[] = [];
    const types: Readonly<Record<string, string>> = {
      getMetrics: "text/plain",
      getDownload: "application/octet-stream",
      getScreenPicture: "image/jpeg",
    };
    for (const [path, methods] of Object.entries(body.paths as Paths)) {
      for (const operation of Object.values(methods)) {
        ids.push(operation.operationId);
        const type = types[operation.operationId] ?? "application/json";
        expect(operation.responses["200"]?.content?.[type]?.schema).toBeObject();
        const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? "");
        const given = (operation.parameters ?? []).filter((parameter) => parameter.in === "path");
        expect(given.map(({ name }) => name)).toEqual(named);
      }
    }
    expect(new Set(ids).size).toBe(ids.length);
    const start = body.paths["/api/knowledge/explore/start"].post;
    expect(start.requestBody.content["application/json"].schema.required).toEqual(["start_url"]);
    expect(start.responses["422"]).toEqual({ $ref: "#/components/responses/UnprocessableContent" });
    const { schema } = body.components.responses.UnprocessableContent.content["application/json"];
    expect(schema).toEqual({ $ref: "#/components/schemas/Error" });
    expect(body.components.schemas.Error.properties.error.required).toEqual(["code", "message"]);
  });

  test("requires the key when one is configured", async () => {
    const gateway = testGateway({ env: { CAIRN_API_KEY: "key" } });
    const { body } = await gateway.call("GET", "/openapi.json", undefined, { authorization: "Bearer key" });
    expect(body.security).toEqual([{ apiKey: [] }]);
    const open = await testGateway().call("GET", "/openapi.json");
    expect(open.body.security).toEqual([{}, { apiKey: [] }]);
  });
});

/** The part of the OpenAPI document that this test reads. */
type Paths = Readonly<Record<string, Readonly<Record<string, OperationObject>>>>;

interface OperationObject {
  readonly operationId: string;
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema?: unknown }>> }>
  >;
}

test("a backup is reported by its file name and never by its path", async () => {
  const { status, body } = await testGateway().call("POST", "/api/backups");
  expect(status).toBe(200);
  expect(body).toEqual({ file: "backup-1.jsonl.gz", records: 7 });
});

/** Tests the guard. It refuses foreign hosts, foreign pages and callers without a valid key. */
import { describe, expect, test } from "bun:test";
import { connect } from "node:net";
import { loadConfig } from "../../gateway/config.ts";
import { assertGuardedBind, isLoopback, localUrl } from "../../gateway/security/listen-address-rules.ts";
import { testGateway } from "./test-gateway.ts";

describe("the Host header of a request", () => {
  test.each(["localhost", "localhost:9000", "127.0.0.1:8000", "127.0.0.1", "[::1]:8000", "LOCALHOST:1"])(
    "is accepted on a loopback address if it is %s",
    async (host) => {
      expect((await testGateway().call("GET", "/health", undefined, { host })).status).toBe(200);
    },
  );

  test.each([
    "evil.example",
    "evil.example:8000",
    "127.0.0.1.evil.example",
    "localhost.evil.example",
    "10.0.0.1",
  ])("is refused on a loopback address if it is %s, as after a DNS rebinding", async (host) => {
    const { status, body } = await testGateway().call("GET", "/health", undefined, { host });
    expect(status).toBe(403);
    expect(body.error.code).toBe("security.host_refused");
  });

  test("is required: a request without it gets 400 with that reason", async () => {
    const { app } = testGateway();
    app.listen({ hostname: "127.0.0.1", port: 0 });
    const raw = connect(app.server?.port ?? 0, "127.0.0.1");
    let answer = "";
    raw.on("data", (chunk: Buffer) => {
      answer += chunk.toString("latin1");
    });
    // A request of HTTP/1.0 needs no Host header. The server closes the connection after its answer.
    raw.write("GET /api/knowledge HTTP/1.0\r\n\r\n");
    while (!answer.includes("request.no_host")) {
      await new Promise((resolve, reject) => {
        raw.once("data", resolve).once("close", () => reject(new Error(answer)));
      });
    }
    expect(answer).toStartWith("HTTP/1.1 400");
    raw.destroy();
    await app.stop(true);
  });

  test("is accepted if it is one of the configured names", async () => {
    const { call } = testGateway({ env: { CAIRN_ALLOWED_HOSTS: "cairn.example" } });
    expect((await call("GET", "/health", undefined, { host: "cairn.example:443" })).status).toBe(200);
    expect((await call("GET", "/health", undefined, { host: "other.example" })).status).toBe(403);
  });

  test("may be any name if Cairn listens on all addresses, unless names are configured", async () => {
    const open = testGateway({ env: { HOST: "0.0.0.0", CAIRN_API_KEY: "key" } });
    expect((await open.call("GET", "/health", undefined, { host: "anything.example" })).status).toBe(200);
    const named = testGateway({
      env: { HOST: "0.0.0.0", CAIRN_API_KEY: "key", CAIRN_ALLOWED_HOSTS: "cairn.example" },
    });
    expect((await named.call("GET", "/health", undefined, { host: "anything.example" })).status).toBe(403);
  });
});

describe("the Origin header of a request", () => {
  test("is accepted if it has the same host name and port as the Host header", async () => {
    const { call } = testGateway();
    for (const host of ["127.0.0.1:8000", "localhost:8000", "[::1]:8000"]) {
      const { status } = await call("GET", "/health", undefined, { host, origin: `http://${host}` });
      expect(status).toBe(200);
    }
  });

  test.each([
    "https://evil.example",
    "null",
    "file://",
    "http://localhost.evil.example",
    "http://127.0.0.1:3000",
    "http://localhost:8000",
  ])("is refused if it is %s", async (origin) => {
    const { call, cairn } = testGateway();
    const { status, body } = await call(
      "POST",
      "/api/knowledge/explore/start",
      { start_url: "x" },
      { origin },
    );
    expect(status).toBe(403);
    expect(body.error.code).toBe("security.origin_refused");
    expect(cairn.jobs.size).toBe(0);
  });

  test("gets CORS headers and a preflight answer only if it is configured", async () => {
    const { call } = testGateway({
      env: { CAIRN_ALLOWED_ORIGINS: "https://app.example", CAIRN_API_KEY: "key" },
    });
    const preflight = await call("OPTIONS", "/api/knowledge", undefined, {
      origin: "https://app.example",
      "access-control-request-method": "POST",
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get("access-control-allow-origin")).toBe("https://app.example");
    const answer = await call("GET", "/health", undefined, { origin: "https://app.example" });
    expect(answer.headers.get("access-control-allow-origin")).toBe("https://app.example");
    const local = await call("GET", "/health", undefined, { origin: "http://localhost:3000" });
    expect(local.headers.get("access-control-allow-origin")).toBeNull();
  });
});

describe("the API key", () => {
  const env = { CAIRN_API_KEY: "the-right-key" };

  test.each([
    undefined,
    "",
    "Bearer",
    "Bearer wrong",
    "Basic the-right-key",
    "Bearer the-right-key-and-more",
  ])("is required: a request with the key %p gets 401", async (authorization) => {
    const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
    const {
      status,
      body,
      headers: answered,
    } = await testGateway({ env }).call("GET", "/api/knowledge", undefined, headers);
    expect(status).toBe(401);
    expect(body.error.code).toBe("security.unauthorized");
    expect(answered.get("www-authenticate")).toBe("Bearer");
  });

  test("gives access to every route, and health needs no key", async () => {
    const { call } = testGateway({ env });
    expect((await call("GET", "/health")).status).toBe(200);
    for (const authorization of ["Bearer the-right-key", "bearer the-right-key"]) {
      expect((await call("GET", "/api/knowledge", undefined, { authorization })).status).toBe(200);
    }
  });

  test("is required even for unknown paths, so that callers without a key cannot find out which paths exist", async () => {
    expect((await testGateway({ env }).call("GET", "/nothing")).status).toBe(401);
  });

  test("is never written to the log", async () => {
    const { call, logged, cairn } = testGateway({ env });
    cairn.failure = new Error("it was the-right-key");
    await call("GET", "/api/knowledge?key=the-right-key", undefined, {
      authorization: "Bearer the-right-key",
    });
    expect(logged.length).toBeGreaterThan(0);
    expect(logged.join("")).not.toContain("the-right-key");
  });
});

test("a gateway that listens on all addresses has a loopback URL for local use", () => {
  expect(localUrl("0.0.0.0", 80)).toBe("http://127.0.0.1:80");
  expect(localUrl("::", 80)).toBe("http://[::1]:80");
  expect(localUrl("fe80::1", 80)).toBe("http://[fe80::1]:80");
  expect(localUrl("cairn.example", 80)).toBe("http://cairn.example:80");
});

test("listening on a public address is refused only if no key is configured", () => {
  const guarded = (env: Record<string, string>) => () => assertGuardedBind(loadConfig(env).config);
  for (const HOST of ["0.0.0.0", "::", "192.168.1.4", "cairn.example"]) {
    expect(guarded({ HOST })).toThrow("CAIRN_API_KEY");
    expect(guarded({ HOST, CAIRN_API_KEY: "key" })).not.toThrow();
  }
  for (const HOST of ["127.0.0.1", "127.8.8.8", "localhost", "::1"]) {
    expect(isLoopback(HOST)).toBe(true);
    expect(guarded({ HOST })).not.toThrow();
  }
});

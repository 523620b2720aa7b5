/**
 * Tests the settings. They are read from the environment, all errors are reported together, and the guide
 * lists the same settings.
 */
import { describe, expect, test } from "bun:test";
import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadConfig, settings, shownValue } from "../../gateway/config.ts";
import { describeEgress, egressPolicy } from "../../gateway/security/egress-settings.ts";
import { storeSettings } from "../../gateway/store-settings.ts";
import { toolSetNames } from "../../gateway/tools/tool-sets.ts";
import { configurationTable, withConfigurationTable } from "../../gateway/write-configuration-reference.ts";
import { ALL_PRIVATE } from "../../machines/egress/egress-policy.ts";

test("without any setting, every value is the default, and its source is reported as default", () => {
  const { config, sources, warnings } = loadConfig({});
  expect(config).toMatchObject({ host: "127.0.0.1", port: 8_000, leaseTtl: 10_000, allowedHosts: [] });
  expect(config.dataDir).toEndWith("/.cairn");
  expect(config.workers).toBeGreaterThanOrEqual(1);
  expect(config.workers).toBeLessThanOrEqual(4);
  expect(Object.values(sources)).toEqual(settings.map(() => "default"));
  expect(warnings).toEqual([]);
});

test("a value that is set has the environment as its source, and an empty value counts as not set", () => {
  const { config, sources } = loadConfig({
    PORT: " 9000 ",
    HOST: "",
    CAIRN_ALLOWED_ORIGINS: "https://a.example, https://b.example",
  });
  expect(config.port).toBe(9_000);
  expect(config.host).toBe("127.0.0.1");
  expect(config.allowedOrigins).toEqual(["https://a.example", "https://b.example"]);
  expect(sources).toMatchObject({ port: "environment", host: "default", allowedOrigins: "environment" });
});

test.each([
  ["PORT", "abc", "PORT=abc: a whole number from 0 to 65535"],
  ["PORT", "1.5", "PORT=1.5: a whole number from 0 to 65535"],
  ["CAIRN_WORKERS", "0", "CAIRN_WORKERS=0: a whole number from 1 to 64"],
  ["CAIRN_LEASE_TTL_MS", "soon", "CAIRN_LEASE_TTL_MS=soon: a whole number of milliseconds"],
  ["CAIRN_LOG_LEVEL", "loud", "CAIRN_LOG_LEVEL=loud: one of debug, info, warn, error, silent"],
  ["CAIRN_STORE", "disk", "CAIRN_STORE=disk: one of own, bus"],
  ["LIVEKIT_URL", "foo", "LIVEKIT_URL=foo: a URL that begins with ws:// or wss:// or http:// or https://"],
  ["OPENAI_BASE_URL", "foo", "OPENAI_BASE_URL=foo: a URL that begins with http:// or https://"],
  ["CAIRN_REDIS_CLUSTER", "perhaps", "CAIRN_REDIS_CLUSTER=perhaps: yes or no"],
  ["CAIRN_ALLOW_PRIVATE", "maybe", "give no, yes, or ranges"],
])("the error of %s=%s names the setting and what it may be", (name, value, text) => {
  expect(() => loadConfig({ [name]: value })).toThrow(text);
});

test("a SurrealDB URL without a scheme is reported by one error, and not by another error about the missing user", () => {
  expect(() => loadConfig({ SURREAL_URL: "foo" })).not.toThrow("SURREAL_USER");
});

test("the settings of the object storage are refused unless all of them are set", () => {
  const some = { CAIRN_S3_ENDPOINT: "https://s3.example.com", CAIRN_S3_BUCKET: "results" };
  expect(() => loadConfig(some)).toThrow("CAIRN_S3_SECRET_KEY together");
  const all = { ...some, CAIRN_S3_ACCESS_KEY: "key", CAIRN_S3_SECRET_KEY: "secret" };
  expect(loadConfig(all).config).toMatchObject({ s3Bucket: "results", s3Region: "us-east-1" });
});

test("a lease that is too short for a browser action is refused, and the error names the shortest lease", () => {
  expect(() => loadConfig({ CAIRN_LEASE_TTL_MS: "3999" })).toThrow("CAIRN_LEASE_TTL_MS=3999: at least 4000");
  expect(loadConfig({ CAIRN_LEASE_TTL_MS: "4000" }).config.leaseTtl).toBe(4_000);
  expect(() => loadConfig({ CAIRN_LEASE_TTL_MS: "600001" })).toThrow("at most 600000");
});

test("all invalid settings are listed together by their variables, without secrets", () => {
  const load = () =>
    loadConfig({
      PORT: "eighty",
      CAIRN_WORKERS: "0",
      CAIRN_LOG_LEVEL: "loud",
      CAIRN_ALLOWED_ORIGINS: "app.example",
      CAIRN_API_KEY: "with a space",
    });
  for (const part of [
    "PORT=eighty",
    "CAIRN_WORKERS=0",
    "CAIRN_LOG_LEVEL=loud",
    '"app.example"',
    "CAIRN_API_KEY:",
  ]) {
    expect(load).toThrow(part);
  }
  expect(load).not.toThrow("with a space");
});

test.each(["-1", "65536", "80.5", "0x50", "1e3x"])(
  "PORT=%s is either refused or read as exactly that number",
  (PORT) => {
    const number = Number(PORT);
    const sound = Number.isInteger(number) && number >= 0 && number <= 65_535;
    if (sound) expect(loadConfig({ PORT }).config.port).toBe(number);
    else expect(() => loadConfig({ PORT })).toThrow("PORT");
  },
);

describe("a secret setting in a file", () => {
  const inFile = async (text: string): Promise<string> => {
    const path = join(await mkdtemp(join(tmpdir(), "cairn-test-")), "secret");
    await writeFile(path, text);
    return path;
  };

  test("is read from that file, and its source is reported", async () => {
    const keys = "look:read:the-key-of-looking-1\nwork:act:the-key-of-working-1\n";
    const { config, sources, warnings } = loadConfig({
      CAIRN_API_KEY_FILE: await inFile("the-right-key\n"),
      CAIRN_API_KEYS_FILE: await inFile(keys),
    });
    expect(config.apiKey).toBe("the-right-key");
    expect(config.apiKeys.map(({ name, scope }) => [name, scope])).toEqual([
      ["look", "read"],
      ["work", "act"],
    ]);
    expect([sources.apiKey, sources.apiKeys, sources.surrealPass]).toEqual(["file", "file", "default"]);
    expect(warnings).toEqual([]);
  });

  test("makes the start fail, without showing a value, if the file is empty or missing or the setting is given twice", async () => {
    const load = (env: Readonly<Record<string, string>>) => () => loadConfig(env);
    expect(load({ CAIRN_API_KEY_FILE: await inFile(" \n") })).toThrow("CAIRN_API_KEY_FILE names is empty");
    expect(load({ CAIRN_API_KEY_FILE: "/nowhere/key" })).toThrow("cannot be read (ENOENT)");
    const both = { CAIRN_API_KEY: "the-one", CAIRN_API_KEY_FILE: await inFile("the-other") };
    expect(load(both)).toThrow("CAIRN_API_KEY: is set, and so is CAIRN_API_KEY_FILE");
    const wrong = { CAIRN_API_KEYS_FILE: await inFile("look:read:hush") };
    expect(load(wrong)).toThrow("16 characters");
    expect(load(wrong)).not.toThrow("hush");
  });

  test("is the only kind of setting that a file can contain: CAIRN_DATA_FILE has no effect and causes a warning", () => {
    const { warnings } = loadConfig({ CAIRN_DATA_FILE: "/etc/passwd" });
    expect(warnings).toEqual(["CAIRN_DATA_FILE is not a setting of Cairn and has no effect"]);
  });
});

test("a misspelt setting causes a warning, and so does a setting whose server is not configured", () => {
  const { warnings } = loadConfig({
    CAIRN_WORKER: "2",
    SURREAL_DB: "maps",
    CAIRN_REDIS_PREFIX: "shop:",
    CAIRN_S3_REGION: "eu-central-1",
    GEMINI_BASE_URL: "http://127.0.0.1:1",
    CAIRN_MODEL_FAST: "small",
  });
  expect(warnings).toEqual([
    "CAIRN_WORKER is not a setting of Cairn and has no effect",
    "SURREAL_DB has no effect without SURREAL_URL",
    "CAIRN_REDIS_PREFIX has no effect without REDIS_URL",
    "CAIRN_S3_REGION has no effect without CAIRN_S3_ENDPOINT",
    "GEMINI_BASE_URL has no effect without GEMINI_API_KEY",
    "CAIRN_MODEL_FAST has no effect without a model: set OPENAI_API_KEY, OPENAI_BASE_URL or GEMINI_API_KEY",
  ]);
});

test("the setting for private addresses accepts yes, no or ranges, and refuses other values", () => {
  const allowed = (CAIRN_ALLOW_PRIVATE: string) => loadConfig({ CAIRN_ALLOW_PRIVATE }).config.allowPrivate;
  expect(loadConfig({}).config.allowPrivate).toEqual([]);
  expect(allowed("no")).toEqual([]);
  expect(allowed("YES")).toBe(ALL_PRIVATE);
  expect(allowed("10.0.0.0/8, fd12::/16")).toEqual(["10.0.0.0/8", "fd12::/16"]);
  for (const bad of ["maybe", "169.254.0.0/16", "127.0.0.1", "10.0.0.0/8, 8.8.8.8"]) {
    expect(() => allowed(bad)).toThrow("CAIRN_ALLOW_PRIVATE");
  }
});

test("the egress policy allows loopback only if Cairn listens on loopback, and is logged in one line", () => {
  const of = (env: Record<string, string>) => loadConfig(env).config;
  expect(egressPolicy(of({}))).toEqual({ loopback: true, allowPrivate: [] });
  expect(egressPolicy(of({ HOST: "0.0.0.0" }))).toEqual({ loopback: false, allowPrivate: [] });
  expect(describeEgress(of({}))).toBe("public addresses, loopback, no private address");
  expect(describeEgress(of({ HOST: "::", CAIRN_ALLOW_PRIVATE: "yes" }))).toContain("no loopback");
  expect(describeEgress(of({ CAIRN_ALLOW_PRIVATE: "10.0.0.0/8" }))).toEndWith("10.0.0.0/8");
});

test("a secret setting is shown masked", () => {
  const { config } = loadConfig({
    CAIRN_API_KEY: "the-key",
    SURREAL_URL: "wss://db",
    SURREAL_PASS: "the-pass",
  });
  const shown = settings.map((setting) => shownValue(setting, config)).join(" ");
  expect(shown).toContain("wss://db");
  expect(shown).not.toContain("the-key");
  expect(shown).not.toContain("the-pass");
});

test("the store is in the data folder, or on the server in SURREAL_URL", () => {
  const of = (env: Record<string, string>) => storeSettings(loadConfig(env).config);
  expect(of({})).toEqual({ kind: "folder" });
  const user = { SURREAL_USER: "u", SURREAL_PASS: "p" };
  expect(of({ SURREAL_URL: "wss://db:8000", ...user, SURREAL_NS: "acme" })).toEqual({
    kind: "server",
    server: { url: "wss://db:8000", username: "u", password: "p", namespace: "acme", database: "cairn" },
  });
  expect(() => loadConfig({ SURREAL_URL: "rocksdb://db" })).toThrow("SURREAL_URL");
  expect(() => loadConfig({ SURREAL_URL: "ws://db", SURREAL_DB: "a`; REMOVE" })).toThrow("SURREAL_DB");
});

test("a node with CAIRN_STORE=bus, which uses the store of another node, requires NATS_URL and refuses SURREAL_URL", () => {
  const bus = { CAIRN_STORE: "bus" };
  expect(storeSettings(loadConfig({ ...bus, NATS_URL: "nats://one" }).config)).toEqual({ kind: "bus" });
  expect(() => loadConfig(bus)).toThrow("NATS_URL");
  expect(() => loadConfig({ ...bus, NATS_URL: "nats://one", SURREAL_URL: "ws://db" })).toThrow("SURREAL_URL");
  expect(() => loadConfig({ CAIRN_STORE: "theirs" })).toThrow("CAIRN_STORE=theirs");
});

test("a password in the URL of the SurrealDB server is refused, and the error does not repeat it", () => {
  const load = () => loadConfig({ SURREAL_URL: "ws://root:hunter2@db" });
  expect(load).toThrow("SURREAL_PASS");
  expect(load).not.toThrow("hunter2");
});

describe("the configuration reference", () => {
  test("in the guide names every setting whose value may be in a file", async () => {
    const page = join(import.meta.dir, "../../gateway/docs/guide/configuration.md");
    const [, afterTable = ""] = (await readFile(page, "utf8")).split("<!-- /configuration -->");
    for (const { env } of settings.filter(({ secret }) => secret)) expect(afterTable).toContain(`\`${env}\``);
  });

  test("names every setting once", () => {
    for (const { env } of settings) expect(configurationTable()).toContain(`\`${env}\``);
  });

  test("in the guide lists the same settings as the code", async () => {
    const page = join(import.meta.dir, "../../gateway/docs/guide/configuration.md");
    const guide = await readFile(page, "utf8");
    expect(withConfigurationTable(guide)).toBe(guide);
  });

  test("names every tool set, and so does the page about MCP", async () => {
    const page = join(import.meta.dir, "../../gateway/docs/guide/mcp.md");
    const guide = await readFile(page, "utf8");
    const setting = settings.find(({ env }) => env === "CAIRN_TOOLS");
    for (const name of toolSetNames) {
      expect(setting?.description).toMatch(new RegExp(`\\b${name}\\b`));
      expect(guide).toContain(`\`${name}\``);
    }
  });

  test("cannot be written into a document that lacks its markers", () => {
    expect(() => withConfigurationTable("# Nothing")).toThrow("needs the lines");
  });
});

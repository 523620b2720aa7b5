/**
 * Checks the container files: all settings in them exist, all copied files exist, and versions are the same
 * everywhere.
 */
import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { z } from "zod";
import { loadConfig, settings } from "../../gateway/config.ts";

const ROOT = join(import.meta.dirname, "../..");
const read = (path: string) => readFileSync(join(ROOT, path), "utf8");

/** The part of the Compose specification that `compose.yaml` uses. Any other key is an error. */
const serviceSchema = z.strictObject({
  image: z.string(),
  profiles: z.array(z.string()).optional(),
  extra_hosts: z.array(z.string()).optional(),
  build: z.strictObject({ context: z.string(), dockerfile: z.string() }).optional(),
  init: z.boolean().optional(),
  cap_add: z.array(z.string()).optional(),
  shm_size: z.string().optional(),
  stop_grace_period: z.string().optional(),
  user: z.string().optional(),
  entrypoint: z.array(z.string()).optional(),
  command: z.array(z.string()).optional(),
  environment: z.record(z.string(), z.string()).optional(),
  ports: z.array(z.string()).optional(),
  volumes: z.array(z.string()).optional(),
  depends_on: z
    .record(
      z.string(),
      z.strictObject({ condition: z.enum(["service_healthy", "service_completed_successfully"]) }),
    )
    .optional(),
  healthcheck: z.looseObject({}).optional(),
});
const compose = z
  .looseObject({ services: z.record(z.string(), serviceSchema), volumes: z.record(z.string(), z.null()) })
  .parse(parse(read("compose.yaml"), { merge: true }));
const services = Object.entries(compose.services);
const nodes = services.filter(([name]) => name.startsWith("cairn-"));
const dockerfile = read("gateway/Dockerfile");

describe("compose.yaml", () => {
  test("starts two nodes of Cairn, Redis, NATS and SurrealDB, and waits until each is healthy", () => {
    expect(nodes).toHaveLength(2);
    expect(Object.keys(compose.services)).toEqual(expect.arrayContaining(["redis", "nats", "surrealdb"]));
    for (const [, { depends_on = {} }] of nodes) {
      for (const service of ["redis", "nats", "surrealdb"])
        expect(depends_on[service]).toEqual({ condition: "service_healthy" });
    }
    for (const service of ["redis", "nats", "surrealdb"])
      expect(compose.services[service]?.healthcheck?.test).toBeArray();
  });

  test("publishes every port only on loopback, and no port twice", () => {
    const published = services.flatMap(([, { ports = [] }]) => ports.map((port) => port.split(":")));
    for (const [address] of published) expect(address).toBe("127.0.0.1");
    expect(new Set(published.map(([, port]) => port)).size).toBe(published.length);
  });

  test("names only volumes that it declares, and services that exist", () => {
    for (const [, { volumes = [], depends_on = {} }] of services) {
      for (const volume of volumes)
        expect(Object.keys(compose.volumes)).toContain(volume.split(":")[0] ?? "");
      for (const needed of Object.keys(depends_on)) expect(compose.services).toHaveProperty(needed);
    }
  });

  test("gives both nodes the same valid configuration, with a key", () => {
    const [first, second] = nodes.map(([, { environment = {} }]) => environment);
    expect(first).toEqual(second ?? {});
    const given = Object.fromEntries(
      Object.entries(first ?? {}).map(([name, value]) => [
        name,
        // A variable in the file is replaced by its default, as Compose does for a variable that is not set.
        value.replace(/\$\{\w+:-([^}]*)\}/, "$1"),
      ]),
    );
    expect(settings.map(({ env }) => env)).toEqual(expect.arrayContaining(Object.keys(given)));
    const { config, warnings } = loadConfig({ ...given, HOST: "0.0.0.0", CAIRN_DATA: "/data" });
    expect(warnings).toEqual([]);
    expect(config.apiKey).toBeString();
  });

  test("starts LiveKit only on request, with a secret of the length that LiveKit needs", () => {
    const { profiles, environment = {} } = compose.services.livekit ?? {};
    expect(profiles).toEqual(["video"]);
    const secret = /:-([^}]+)\}/.exec(environment.LIVEKIT_KEYS ?? "")?.[1] ?? "";
    expect(secret.length).toBeGreaterThanOrEqual(32);
    expect(parse(environment.LIVEKIT_CONFIG ?? "")).toMatchObject({ port: 7_880 });
  });

  test("starts LiveKit with the secret and the webhook host that the guide names", () => {
    const { environment = {} } = compose.services.livekit ?? {};
    const secret = /:-([^}]+)\}/.exec(environment.LIVEKIT_KEYS ?? "")?.[1] ?? "";
    const [webhook] = parse(environment.LIVEKIT_CONFIG ?? "").webhook.urls;
    const guide = read("gateway/docs/guide/video.md");
    expect(guide).toContain(`\`${secret}\``);
    expect(guide).toContain(`CAIRN_ALLOWED_HOSTS=${new URL(webhook).hostname}`);
  });

  test("makes Redis sync every write to disk", () => {
    expect(compose.services.redis?.command?.join(" ")).toContain("--appendfsync always");
  });
});

describe("the container image of Cairn", () => {
  test("contains the browser of the installed Playwright version", () => {
    const installed = JSON.parse(read("node_modules/playwright/package.json"));
    expect(dockerfile).toContain(`FROM mcr.microsoft.com/playwright:v${installed.version}-`);
  });

  test("copies only files that exist and that its ignore file permits", () => {
    const letThrough = read("gateway/Dockerfile.dockerignore").split("\n");
    const copied = [...dockerfile.matchAll(/^COPY (.+) \S+$/gm)].flatMap(([, names = ""]) =>
      names.split(" "),
    );
    expect(copied.length).toBeGreaterThan(5);
    for (const name of copied) {
      expect(existsSync(join(ROOT, name))).toBe(true);
      expect(letThrough).toContain(`!${name}`);
    }
  });

  test("sets only existing settings of Cairn, and does not run as root", () => {
    const set = [...dockerfile.matchAll(/^ENV (.+)$/gm)].flatMap(([, line = ""]) =>
      line.split(" ").map((pair) => pair.split("=")[0] ?? ""),
    );
    expect(settings.map(({ env }) => env)).toEqual(expect.arrayContaining(set));
    expect(dockerfile).toMatch(/^USER (?!root)/m);
  });
});

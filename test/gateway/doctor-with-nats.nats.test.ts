/** Tests `cairn doctor` without a running gateway for a node whose cluster uses a real NATS server. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runCommandLine } from "../../gateway/cli.ts";
import { freePort, NatsServer } from "../support/test-nats-server.ts";

setDefaultTimeout(60_000);
let server: NatsServer;
let plain: NatsServer;

beforeAll(async () => {
  server = await NatsServer.start();
  plain = await NatsServer.start({ jetStream: false });
});
afterAll(async () => {
  await server?.close();
  await plain?.close();
});

interface Check {
  readonly name: string;
  readonly ok: boolean;
  readonly detail: string;
}

/** Returns the exit code of `cairn doctor`, and its check of NATS. */
async function examined(NATS_URL: string) {
  const lines: string[] = [];
  const nothing = () => {};
  const terminal = {
    out: (line: string) => void lines.push(line),
    err: nothing,
    overwrite: nothing,
    live: false,
    columns: 80,
  };
  const env = { NATS_URL, CAIRN_DATA: join(tmpdir(), "cairn-never-made") };
  const code = await runCommandLine(["doctor", "--json"], env, terminal);
  const { checks }: { readonly checks: readonly Check[] } = JSON.parse(lines[0] ?? "{}");
  return { code, nats: checks.find(({ name }) => name === "nats") };
}

test("cairn doctor reports that NATS answers", async () => {
  const { nats } = await examined(server.url);
  expect(nats).toEqual({ name: "nats", ok: true, detail: `${server.url} answers` });
});

test("cairn doctor fails for a NATS that does not answer, and says what to do", async () => {
  const { code, nats } = await examined(`nats://127.0.0.1:${await freePort()}`);
  expect(code).toBe(1);
  expect(nats).toMatchObject({ ok: false, detail: expect.stringContaining("check NATS_URL") });
});

test("cairn doctor fails for a NATS without JetStream, and names what is missing", async () => {
  const { code, nats } = await examined(plain.url);
  expect(code).toBe(1);
  expect(nats).toMatchObject({ ok: false, detail: expect.stringContaining("JetStream") });
});

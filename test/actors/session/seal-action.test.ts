/** What is typed is sealed before it is stored, where every node can open it, and comes out as it went in. */
import { expect, test } from "bun:test";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Secrets } from "../../../actors/secrets/secrets.ts";
import { openAction, sealAction } from "../../../actors/session/seal-action.ts";
import { parseAction } from "../../../machines/session/parse-action.ts";

const SECRET = "correct horse battery";
const folder = () => mkdtemp(join(tmpdir(), "cairn-test-"));

test("what an act types is sealed, and opened for its room alone", async () => {
  const secrets = new Secrets(await folder(), {});
  const action = parseAction("type", { index: 3, text: SECRET });
  const kept = await sealAction("demo", action, { secrets, oneKey: true });
  expect(kept).toMatchObject({ name: "input", params: { index: 3, text: "(21 characters)" } });
  expect(JSON.stringify(kept)).not.toContain("horse");
  expect(await openAction("demo", kept, secrets)).toEqual(action);
  await expect(openAction("other", kept, secrets)).rejects.toMatchObject({ code: "vault.cannot_open" });
});

test("an act that types nothing stays as it is, and costs no sealing", async () => {
  const secrets = new Secrets(await folder(), {});
  const action = parseAction("click", { index: 3 });
  expect(await sealAction("demo", action, { secrets, oneKey: true })).toBe(action);
  expect(await openAction("demo", action, secrets)).toBe(action);
});

test("where nodes have different keys an act goes as it is: another node could not do it", async () => {
  const secrets = new Secrets(await folder(), {});
  const action = parseAction("type", { index: 3, text: SECRET });
  expect(await sealAction("demo", action, { secrets, oneKey: false })).toBe(action);
});

/**
 * Tests that typed text is encrypted before it is stored, provided that all nodes have the same encryption
 * key.
 */
import { expect, test } from "bun:test";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Secrets } from "../../../actors/secrets/secret-store.ts";
import { openAction, sealAction } from "../../../actors/session/encrypt-action-secrets.ts";
import { parseAction } from "../../../machines/session/actions/parse-action.ts";

const SECRET = "correct horse battery";
const folder = () => mkdtemp(join(tmpdir(), "cairn-test-"));

test("the typed text of an action is encrypted, and decrypted only for its session", async () => {
  const secrets = new Secrets(await folder(), {});
  const action = parseAction("type", { index: 3, text: SECRET });
  const sealed = await sealAction("demo", action, { secrets, oneKey: true });
  expect(sealed).toMatchObject({ name: "input", params: { index: 3, text: "(21 characters)" } });
  expect(JSON.stringify(sealed)).not.toContain("horse");
  expect(await openAction("demo", sealed, secrets)).toEqual(action);
  await expect(openAction("other", sealed, secrets)).rejects.toMatchObject({ code: "vault.cannot_open" });
});

test("an action without typed text is not changed by the encryption", async () => {
  const secrets = new Secrets(await folder(), {});
  const action = parseAction("click", { index: 3 });
  expect(await sealAction("demo", action, { secrets, oneKey: true })).toBe(action);
  expect(await openAction("demo", action, secrets)).toBe(action);
});

test("the typed text of an action is not encrypted if the nodes of the cluster have different keys", async () => {
  const secrets = new Secrets(await folder(), {});
  const action = parseAction("type", { index: 3, text: SECRET });
  expect(await sealAction("demo", action, { secrets, oneKey: false })).toBe(action);
});

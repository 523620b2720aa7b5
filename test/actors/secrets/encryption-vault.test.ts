import { afterEach, expect, test } from "bun:test";
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { keyFile, openVault } from "../../../actors/secrets/encryption-vault.ts";

const folders: string[] = [];
async function folder(): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), "cairn-vault-"));
  folders.push(made);
  return made;
}
afterEach(async () => {
  for (const path of folders.splice(0)) await rm(path, { recursive: true });
});

test("a text that the vault encrypts is unreadable, is different after each encryption, and can be decrypted", async () => {
  const vault = await openVault(await folder());
  const sealed = await vault.seal("päss word", "session/a");
  expect(sealed).toMatch(/^[\w.-]+$/);
  expect(sealed).not.toContain("word");
  expect(await vault.open(sealed, "session/a")).toBe("päss word");
  expect(await vault.seal("päss word", "session/a")).not.toBe(sealed);
  expect(await vault.open(await vault.seal("", "x"), "x")).toBe("");
});

test("decryption by the vault fails for another purpose, with another key, and for a changed text", async () => {
  const vault = await openVault(await folder());
  const sealed = await vault.seal("secret", "session/a");
  const other = await openVault(await folder());
  const changed = `${sealed.slice(0, -3)}${sealed.endsWith("AAA") ? "BBB" : "AAA"}`;
  for (const attempt of [
    () => vault.open(sealed, "session/b"),
    () => other.open(sealed, "session/a"),
    () => vault.open(changed, "session/a"),
    () => vault.open("secret", "session/a"),
    () => vault.open("", "session/a"),
  ]) {
    await expect(attempt()).rejects.toMatchObject({ code: "vault.cannot_open" });
  }
});

test("the key of the vault is created once, even if several callers need it at once, and only the owner of its file can read it", async () => {
  const data = await folder();
  const [first, ...others] = await Promise.all(Array.from({ length: 8 }, () => openVault(data)));
  const sealed = (await first?.seal("secret", "x")) ?? "";
  for (const vault of [...others, await openVault(data)])
    expect(await vault.open(sealed, "x")).toBe("secret");
  expect(await readdir(data)).toEqual(["key"]);
  expect((await stat(keyFile(data))).mode & 0o777).toBe(0o600);
  expect((await readFile(keyFile(data), "utf8")).length).toBe(45);
  await chmod(keyFile(data), 0o644);
  await openVault(data);
  expect((await stat(keyFile(data))).mode & 0o777).toBe(0o600);
});

test("a key file of the vault without a key is refused and left unchanged", async () => {
  const data = await folder();
  await writeFile(keyFile(data), "hunter2\n");
  await expect(openVault(data)).rejects.toMatchObject({ code: "vault.bad_key" });
  expect(await readFile(keyFile(data), "utf8")).toBe("hunter2\n");
});

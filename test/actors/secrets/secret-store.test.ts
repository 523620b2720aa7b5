import { afterEach, expect, test } from "bun:test";
import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Secrets } from "../../../actors/secrets/secret-store.ts";

const folders: string[] = [];
async function folder(): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), "cairn-secrets-"));
  folders.push(made);
  return made;
}
afterEach(async () => {
  for (const path of folders.splice(0)) await rm(path, { recursive: true });
});

const GIVEN = {
  SHOP: { value: "env-value", hosts: [] },
  MAIL: { value: "mail", hosts: ["mail.example.com"] },
};

test("a stored secret is encrypted in a file that only its owner can read, and overrides a secret from the environment", async () => {
  const data = await folder();
  const secrets = new Secrets(data, GIVEN);
  await secrets.set("shop", "hunter2", ["shop.example.com"]);
  const file = join(data, "secrets.json");
  expect(await readFile(file, "utf8")).not.toContain("hunter2");
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  const other = new Secrets(data, GIVEN);
  expect(await other.reveal("SHOP", "https://shop.example.com/login", [])).toBe("hunter2");
  expect(await other.list()).toEqual([
    { name: "MAIL", hosts: ["mail.example.com"], source: "environment" },
    { name: "SHOP", hosts: ["shop.example.com"], source: "stored" },
  ]);
  await secrets.remove("Shop");
  expect(await other.reveal("shop", "http://127.0.0.1:3000/", ["127.0.0.1:3000"])).toBe("env-value");
  await expect(secrets.remove("shop")).rejects.toMatchObject({ code: "secret.not_found" });
});

test("a secret is revealed only to the hosts that are set for it; without such hosts, only to those of the login recipe", async () => {
  const secrets = new Secrets(await folder(), GIVEN);
  await secrets.set("WIDE", "w", ["*.example.com", "localhost:1234"]);
  const at = (name: string, url: string, own: readonly string[] = []) => secrets.reveal(name, url, own);
  expect(await at("MAIL", "https://mail.example.com:8443/x")).toBe("mail");
  expect(await at("WIDE", "https://a.example.com/")).toBe("w");
  expect(await at("WIDE", "http://localhost:1234/")).toBe("w");
  expect(await at("SHOP", "http://127.0.0.1:3000/", ["127.0.0.1:3000"])).toBe("env-value");
  for (const [name, url, own] of [
    ["MAIL", "https://evil.test/", ["evil.test"]],
    ["MAIL", "https://mail.example.com.evil.test/", []],
    ["WIDE", "https://example.com/", []],
    ["WIDE", "https://badexample.com/", []],
    ["WIDE", "http://localhost:1235/", []],
    ["SHOP", "http://127.0.0.1:3001/", ["127.0.0.1:3000"]],
    ["SHOP", "data:text/html,x", ["127.0.0.1:3000"]],
    ["SHOP", "https://shop.example.com/", []],
  ] as const) {
    const error = await at(name, url, own).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "secret.other_host", status: 403 });
    expect(String(error)).not.toMatch(/env-value|\bmail\b(?!\.)/);
  }
  await expect(at("NONE", "https://a.example.com/")).rejects.toMatchObject({ code: "secret.not_found" });
});

test("secrets that are set at the same time are all stored", async () => {
  const secrets = new Secrets(await folder(), {});
  await Promise.all(Array.from({ length: 20 }, (_, at) => secrets.set(`S${at}`, String(at), [])));
  expect(await secrets.list()).toHaveLength(20);
});

/**
 * Encrypts texts by AES-256-GCM (NIST SP 800-38D) with a key that is stored only in the data folder. Each
 * text is encrypted for a purpose and can be decrypted only for this purpose. Nodes that share encrypted
 * texts need the same key file.
 */
import { chmod, link, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Refused } from "../../machines/errors.ts";

export interface Vault {
  /** A fingerprint of the key, by which nodes compare their keys. It reveals nothing about the key. */
  readonly fingerprint: string;
  /**
   * Encrypts a text.
   *
   * @param about purpose of the text, such as `session/demo`; `open` needs the same purpose
   */
  seal(text: string, about: string): Promise<string>;
  /**
   * Decrypts a text. Rejects with `vault.cannot_open` when the key or the purpose differs or the text was
   * changed.
   */
  open(sealed: string, about: string): Promise<string>;
}

const ALGORITHM = "AES-GCM";
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
/**
 * Prefix of encrypted texts. The prefix identifies the format, so that later versions can use another format.
 */
const MARK = "v1.";

/** File permissions: only the owner may read the key file. */
const PRIVATE = 0o600;

export function keyFile(dataDir: string): string {
  return join(dataDir, "key");
}

/**
 * Opens the vault of a data folder and creates its key when there is none. Throws `vault.bad_key` for an
 * invalid key file.
 */
export async function openVault(dataDir: string): Promise<Vault> {
  const file = keyFile(dataDir);
  const bytes = (await readKey(file)) ?? (await makeKey(file));
  const key = await crypto.subtle.importKey("raw", bytes, ALGORITHM, false, ["encrypt", "decrypt"]);
  const additionalData = (about: string) => new TextEncoder().encode(about);
  const digest = await crypto.subtle.digest("SHA-256", bytes);
  return {
    fingerprint: Buffer.from(digest).toString("base64url"),
    async seal(text, about) {
      const iv = crypto.getRandomValues(new Uint8Array(NONCE_BYTES));
      const how = { name: ALGORITHM, iv, additionalData: additionalData(about) };
      const sealed = await crypto.subtle.encrypt(how, key, new TextEncoder().encode(text));
      return MARK + Buffer.concat([iv, new Uint8Array(sealed)]).toString("base64url");
    },
    async open(sealed, about) {
      const all = new Uint8Array(Buffer.from(sealed.slice(MARK.length), "base64url"));
      const iv = all.subarray(0, NONCE_BYTES);
      const how = { name: ALGORITHM, iv, additionalData: additionalData(about) };
      try {
        if (!sealed.startsWith(MARK)) throw new Error("It is not a sealed text.");
        const text = await crypto.subtle.decrypt(how, key, all.subarray(NONCE_BYTES));
        return new TextDecoder().decode(text);
      } catch (cause) {
        throw new Refused(
          "vault.cannot_open",
          `What was sealed for ${about} cannot be opened with the file key of this data folder (CAIRN_DATA). It was ` +
            "made with another key: put that one back. All nodes of a cluster need the same file.",
          { status: 409, cause },
        );
      }
    },
  };
}

async function readKey(file: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
  const bytes = new Uint8Array(Buffer.from(text.trim(), "base64"));
  if (bytes.length !== KEY_BYTES) {
    throw new Refused(
      "vault.bad_key",
      `${file} does not hold a key: ${KEY_BYTES} bytes in base64 are needed. Put the right one back, or move the file ` +
        "away for a new key; what was sealed with the old one is lost then.",
    );
  }
  const { mode } = await stat(file);
  // A copied key file may have other permissions, so they are set again.
  if ((mode & 0o077) !== 0) await chmod(file, PRIVATE);
  return bytes;
}

/** Creates the key file atomically: processes that start at the same time use the same key. */
async function makeKey(file: string): Promise<Uint8Array<ArrayBuffer>> {
  const draft = `${file}.${crypto.randomUUID()}`;
  const made = Buffer.from(crypto.getRandomValues(new Uint8Array(KEY_BYTES))).toString("base64");
  await writeFile(draft, `${made}\n`, { mode: PRIVATE, flag: "wx" });
  try {
    await link(draft, file);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  } finally {
    await rm(draft, { force: true });
  }
  const key = await readKey(file);
  if (key) return key;
  throw new Refused("vault.bad_key", `${file} went away while it was made. Look for what removes it.`);
}

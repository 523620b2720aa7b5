/**
 * Secrets by name, from environment variables or stored encrypted in the data folder. A value is returned
 * only to code that types or sends it, and only for one address.
 */
import { chmod, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Refused } from "../../machines/errors.ts";
import { secretLimits } from "../../machines/session/session-limits.ts";
import { isBoundTo } from "../../machines/session/state/secret-host-match.ts";
import { openVault, type Vault } from "./encryption-vault.ts";

/**
 * A secret from the environment variable `CAIRN_SECRET_<NAME>`, with its hosts from
 * `CAIRN_SECRET_<NAME>_HOST`.
 */
export interface GivenSecret {
  readonly value: string;
  readonly hosts: readonly string[];
}

export interface SecretInfo {
  readonly name: string;
  /**
   * Hosts at which the secret may be used. When the list is empty, only the host of the login recipe that
   * names the secret is allowed.
   */
  readonly hosts: readonly string[];
  readonly source: "environment" | "stored";
}

interface StoredSecret {
  readonly hosts: readonly string[];
  readonly sealed: string;
}

type Stored = Readonly<Record<string, StoredSecret>>;

export class Secrets {
  readonly #file: string;
  readonly #dataDir: string;
  readonly #given: Readonly<Record<string, GivenSecret>>;
  #vault: Promise<Vault> | undefined;
  #lastChange: Promise<unknown> = Promise.resolve();

  constructor(dataDir: string, given: Readonly<Record<string, GivenSecret>>) {
    this.#dataDir = dataDir;
    this.#file = join(dataDir, "secrets.json");
    this.#given = given;
  }

  /** The vault that encrypts with the data folder's key. It is opened when it is first needed. */
  get vault(): Promise<Vault> {
    this.#vault ??= openVault(this.#dataDir);
    return this.#vault;
  }

  async list(): Promise<readonly SecretInfo[]> {
    const stored = await this.#read();
    const own = Object.entries(stored).map(([name, { hosts }]) => ({
      name,
      hosts,
      source: "stored" as const,
    }));
    const given = Object.entries(this.#given)
      .filter(([name]) => !Object.hasOwn(stored, name))
      .map(([name, { hosts }]) => ({ name, hosts, source: "environment" as const }));
    return [...own, ...given].sort((one, other) => (one.name < other.name ? -1 : 1));
  }

  /**
   * Stores a secret. A stored secret takes precedence over an environment variable of the same name. Throws
   * `secret.too_many` (422).
   */
  async set(name: string, value: string, hosts: readonly string[]): Promise<SecretInfo> {
    const key = keyOf(name);
    const sealed = await (await this.vault).seal(value, `secret/${key}`);
    await this.#change((stored) => {
      if (!Object.hasOwn(stored, key) && Object.keys(stored).length >= secretLimits.most) {
        throw new Refused("secret.too_many", `There are ${secretLimits.most} secrets. Remove some.`, {
          status: 422,
        });
      }
      return { ...stored, [key]: { hosts, sealed } };
    });
    return { name: key, hosts, source: "stored" };
  }

  /** Deletes a stored secret. Throws `secret.not_found` (404) when no secret of this name is stored. */
  async remove(name: string): Promise<void> {
    const key = keyOf(name);
    await this.#change((stored) => {
      if (!Object.hasOwn(stored, key)) throw unknown(name);
      const { [key]: _, ...rest } = stored;
      return rest;
    });
  }

  /** Whether a secret of this name exists. */
  async has(name: string): Promise<boolean> {
    return Object.hasOwn(this.#given, keyOf(name)) || Object.hasOwn(await this.#read(), keyOf(name));
  }

  /**
   * Returns the value of a secret for use at an address.
   *
   * @param own the hosts of the login recipe; a secret without hosts of its own may be used on them
   * @throws Refused `secret.not_found` (404), `secret.other_host` (403)
   */
  async reveal(name: string, url: string, own: readonly string[]): Promise<string> {
    const key = keyOf(name);
    const stored = (await this.#read())[key];
    const given = this.#given[key];
    const found = stored ?? given;
    if (!found) throw unknown(name);
    const hosts = found.hosts.length > 0 ? found.hosts : own;
    if (!isBoundTo(hosts, url)) {
      const where = URL.canParse(url) ? new URL(url).host : url.slice(0, 100);
      throw new Refused(
        "secret.other_host",
        `The secret ${key} is bound to ${hosts.join(", ") || "no host"} and was not used at ${where || "this page"}. ` +
          "If it belongs there, name its hosts with PUT /api/secrets/{name}.",
        { status: 403, details: { secret: key, host: where } },
      );
    }
    return stored ? await (await this.vault).open(stored.sealed, `secret/${key}`) : (given?.value ?? "");
  }

  async #read(): Promise<Stored> {
    try {
      // The method `#change` wrote this file, so the cast is safe.
      return JSON.parse(await readFile(this.#file, "utf8")) as Stored;
    } catch (error) {
      if (error instanceof Error && "code" in error && error.code === "ENOENT") return {};
      throw error;
    }
  }

  #change(work: (stored: Stored) => Stored): Promise<void> {
    const turn = this.#lastChange.then(async () => {
      const next = work(await this.#read());
      const draft = `${this.#file}.new`;
      await writeFile(draft, `${JSON.stringify(next, null, 1)}\n`, { mode: 0o600 });
      // A temporary file that a crash has left may be readable by other users, so its permissions are set
      // again.
      await chmod(draft, 0o600);
      await rename(draft, this.#file);
    });
    this.#lastChange = turn.catch(() => {});
    return turn;
  }
}

/**
 * Returns the name in upper case, so that names are compared without regard to case. Names from environment
 * variables are always in upper case.
 */
function keyOf(name: string): string {
  return name.toUpperCase();
}

function unknown(name: string): Refused {
  return new Refused(
    "secret.not_found",
    `There is no secret ${keyOf(name).slice(0, 100)}. Set CAIRN_SECRET_${keyOf(name).slice(0, 100)}, or PUT /api/secrets/{name}.`,
    { status: 404, details: { secret: keyOf(name).slice(0, 100) } },
  );
}

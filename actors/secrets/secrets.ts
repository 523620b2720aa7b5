/**
 * Secrets by name, from the environment or stored encrypted in the data folder. Values are returned only to
 * code that types or sends them, for one address.
 */
import { chmod, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Refused } from "../../machines/errors.ts";
import { isBoundTo } from "../../machines/session/host-binding.ts";
import { secretLimits } from "../../machines/session/limits.ts";
import { openVault, type Vault } from "./vault.ts";

/** `CAIRN_SECRET_<NAME>` and its hosts from `CAIRN_SECRET_<NAME>_HOST`. */
export interface GivenSecret {
  readonly value: string;
  readonly hosts: readonly string[];
}

export interface SecretInfo {
  readonly name: string;
  /** Empty: the host of the recipe that names it. */
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

  /** The vault of the data folder, created on first use. */
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

  /** Stores a secret. It takes precedence over one of the environment. Throws `secret.too_many` (422). */
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

  /** Throws `secret.not_found` (404) for a name that is not stored. */
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
   * The value for use at an address.
   *
   * @param own hosts for a secret without hosts: those of the recipe
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
      return JSON.parse(await readFile(this.#file, "utf8")) as Stored; // Written by `#change`.
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
      // A draft file left by a crash may be readable by other users.
      await chmod(draft, 0o600);
      await rename(draft, this.#file);
    });
    this.#lastChange = turn.catch(() => {});
    return turn;
  }
}

/** Environment variables are upper case, so secret names ignore case. */
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

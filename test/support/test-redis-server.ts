/**
 * A real redis-server for tests, with its append-only file in a temporary folder. It keeps its port when it
 * is restarted.
 */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";

const NAME = "redis-server";
const run = promisify(execFile);

/** Returns the path of a redis-server; `undefined` if there is none and none can be installed. */
export async function redisBinary(): Promise<string | undefined> {
  const folders = [...(process.env.PATH ?? "").split(delimiter), "/usr/bin", "/usr/local/bin"];
  const find = () => folders.map((folder) => join(folder, NAME)).find((path) => existsSync(path));
  const found = find();
  if (found || process.getuid?.() !== 0) return found;
  try {
    await run("apt-get", ["install", "-y", "-q", "redis-server"], { timeout: 120_000 });
  } catch (error) {
    console.warn(`redis-server could not be installed: ${String(error)}`);
  }
  return find();
}

interface Place {
  readonly port: number;
  readonly folder: string;
  readonly password: string | undefined;
  readonly options: RedisOptions;
}

/** Additional options of redis-server. Their names are written without the leading dashes. */
type RedisOptions = Readonly<Record<string, string>>;

export class RedisServer {
  readonly port: number;
  readonly #binary: string;
  readonly #folder: string;
  readonly #password: string | undefined;
  readonly #options: RedisOptions;
  #process: ChildProcess | undefined;

  private constructor(binary: string, { port, folder, password, options }: Place) {
    this.#binary = binary;
    this.port = port;
    this.#folder = folder;
    this.#password = password;
    this.#options = options;
  }

  /** @param password the password that clients must send; by default, the server requires none */
  static async start(binary: string, password?: string, options: RedisOptions = {}): Promise<RedisServer> {
    const folder = await mkdtemp(join(tmpdir(), "cairn-test-redis-"));
    const server = new RedisServer(binary, { port: await freePort(), folder, password, options });
    await server.start();
    return server;
  }

  get url(): string {
    const login = this.#password === undefined ? "" : `:${this.#password}@`;
    return `redis://${login}127.0.0.1:${this.port}`;
  }

  async start(): Promise<void> {
    const options = [
      "--port",
      String(this.port),
      "--dir",
      this.#folder,
      "--appendonly",
      "yes",
      "--appendfsync",
      "always",
      ...(this.#password === undefined ? [] : ["--requirepass", this.#password]),
      ...Object.entries(this.#options).flatMap(([name, value]) => [`--${name}`, value]),
    ];
    const child = spawn(this.#binary, [...options, "--bind", "127.0.0.1"], {
      stdio: ["ignore", "pipe", "ignore"],
    });
    this.#process = child;
    for await (const text of child.stdout.setEncoding("utf8")) if (/Ready to accept/.test(text)) break;
    child.stdout.resume();
  }

  async stop(signal: "SIGTERM" | "SIGKILL" = "SIGTERM"): Promise<void> {
    const running = this.#process;
    this.#process = undefined;
    if (!running || running.exitCode !== null || running.signalCode !== null) return;
    const ended = once(running, "exit");
    running.kill(signal);
    await ended;
  }

  async remove(): Promise<void> {
    await this.stop("SIGKILL");
    await rm(this.#folder, { recursive: true, force: true });
  }
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() =>
        typeof address === "object" && address ? resolve(address.port) : reject(new Error("no port")),
      );
    });
  });
}

/**
 * A real LiveKit server for tests, on loopback. Its binary is taken from `CAIRN_LIVEKIT_SERVER`, the PATH, or
 * an earlier build in `node_modules/.cache`; otherwise it is built there with Go. If that is impossible, the
 * tests of video are skipped.
 */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { missingPackages } from "../../actors/streaming/check-livekit-packages-installed.ts";
import { freePort } from "./test-nats-server.ts";

const CACHE = join(import.meta.dirname, "..", "..", "node_modules", ".cache", "livekit-server");
const NAME = "livekit-server";
/**
 * The newest release of livekit-server without `replace` lines in its `go.mod`. The Go module proxy cannot
 * build releases with such lines.
 */
const GO_MODULE = "github.com/livekit/livekit-server/cmd/server@v1.11.0";

/** Returns the path of a server that is already on this machine; `undefined` if there is none. */
function present(): string | undefined {
  const named = process.env.CAIRN_LIVEKIT_SERVER;
  if (named) return named;
  const folders = [...(process.env.PATH ?? "").split(delimiter), CACHE];
  return folders.map((folder) => join(folder, NAME)).find((path) => existsSync(path));
}

/**
 * Builds the server if there is none. Rejects with the reason if that is not possible, for example without
 * Go.
 */
export async function provideLiveKit(): Promise<void> {
  if (present()) return;
  const folder = await mkdtemp(join(tmpdir(), "cairn-livekit-"));
  try {
    await promisify(execFile)("go", ["install", GO_MODULE], {
      env: { ...process.env, GOBIN: folder, GOFLAGS: "-modcacherw" },
    });
    await mkdir(CACHE, { recursive: true });
    await rename(join(folder, "server"), join(CACHE, NAME)).catch(async () => {
      // The file is copied, because renaming it fails if the cache is on another file system.
      await promisify(execFile)("cp", [join(folder, "server"), join(CACHE, NAME)]);
    });
  } catch (error) {
    const reason = error instanceof Error ? error.message.split("\n")[0] : String(error);
    throw new Error(`Without a LiveKit server the tests of video are skipped. Go 1.26 builds one: ${reason}`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Returns why tests of video cannot run on this machine; `undefined` when they can. */
export function noLiveKit(): string | undefined {
  if (!present())
    return "no livekit-server: install Go 1.26 or newer, put one on the PATH, or name it with CAIRN_LIVEKIT_SERVER";
  const missing = missingPackages();
  return missing.length === 0 ? undefined : `optional packages are not installed: ${missing.join(", ")}`;
}

export class LiveKitServer {
  static readonly key = "devkey";
  static readonly secret = "a-secret-of-the-tests-that-is-long-enough-0123456789";
  readonly port: number;
  readonly #folder: string;
  readonly #config: string;
  #process: ChildProcess | undefined;

  private constructor(port: number, folder: string, config: string) {
    this.port = port;
    this.#folder = folder;
    this.#config = config;
  }

  /** @param webhooks address to which the server sends its webhooks */
  static async start(webhooks?: string): Promise<LiveKitServer> {
    const folder = await mkdtemp(join(tmpdir(), "cairn-test-livekit-"));
    const port = await freePort();
    const config = JSON.stringify({
      port,
      bind_addresses: ["127.0.0.1"],
      rtc: {
        tcp_port: await freePort(),
        udp_port: await freeUdpPort(),
        use_external_ip: false,
        node_ip: "127.0.0.1",
        enable_loopback_candidate: true,
      },
      keys: { [LiveKitServer.key]: LiveKitServer.secret },
      ...(webhooks ? { webhook: { api_key: LiveKitServer.key, urls: [webhooks] } } : {}),
    });
    const server = new LiveKitServer(port, folder, config);
    await server.start();
    return server;
  }

  get url(): string {
    return `ws://127.0.0.1:${this.port}`;
  }

  /** The settings for a Cairn that uses this server. */
  get env(): Readonly<Record<string, string>> {
    return {
      LIVEKIT_URL: this.url,
      LIVEKIT_API_KEY: LiveKitServer.key,
      LIVEKIT_API_SECRET: LiveKitServer.secret,
    };
  }

  /** Starts the server again after `stop`, on the same port. */
  async start(): Promise<void> {
    const file = join(this.#folder, "livekit.yaml");
    // The server expects YAML. JSON is valid YAML, so the configuration is written as JSON.
    await writeFile(file, this.#config);
    const program = present();
    if (!program) throw new Error("There is no livekit-server.");
    const child = spawn(program, ["--config", file], { stdio: "ignore" });
    this.#process = child;
    while (!(await this.#answers())) {
      if (child.exitCode !== null)
        throw new Error(`livekit-server ended with ${child.exitCode} while starting`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  async #answers(): Promise<boolean> {
    return await fetch(`http://127.0.0.1:${this.port}/`).then(
      ({ ok }) => ok,
      () => false,
    );
  }

  /** Stops the process for a while: connections stay open, but nothing is answered until `resume`. */
  freeze(): void {
    this.#process?.kill("SIGSTOP");
  }

  resume(): void {
    this.#process?.kill("SIGCONT");
  }

  async stop(): Promise<void> {
    const running = this.#process;
    this.#process = undefined;
    if (!running || running.exitCode !== null || running.signalCode !== null) return;
    const ended = once(running, "exit");
    running.kill("SIGKILL");
    await ended;
  }

  /** Stops the server and deletes its temporary files. */
  async close(): Promise<void> {
    await this.stop();
    await rm(this.#folder, { recursive: true, force: true });
  }
}

async function freeUdpPort(): Promise<number> {
  return await new Promise((resolve, reject) => {
    const socket = createSocket("udp4");
    socket.once("error", reject);
    socket.bind(0, "127.0.0.1", () => {
      const { port } = socket.address();
      socket.close(() => resolve(port));
    });
  });
}

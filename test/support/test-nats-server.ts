/**
 * A real nats-server for tests, with JetStream in a temporary folder. It keeps its port when it is restarted.
 * It can be stopped, killed, paused, and restarted with or without its files.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { natsBinary } from "./test-nats-binary.ts";

export interface NatsServerOptions {
  /** Whether JetStream (the storage of NATS) is enabled. The default is true. */
  readonly jetStream?: boolean;
  /** Maximum number of bytes that JetStream may store. The default is the free disk space. */
  readonly room?: number;
  /** Lines to append to the server's configuration file. */
  readonly config?: string;
}

export class NatsServer {
  readonly port: number;
  readonly #folder: string;
  readonly #options: NatsServerOptions;
  #process: ChildProcess | undefined;

  private constructor(port: number, folder: string, options: NatsServerOptions) {
    this.port = port;
    this.#folder = folder;
    this.#options = options;
  }

  static async start(options: NatsServerOptions = {}): Promise<NatsServer> {
    const folder = await mkdtemp(join(tmpdir(), "cairn-test-nats-"));
    const server = new NatsServer(await freePort(), folder, options);
    await server.start();
    return server;
  }

  get url(): string {
    return `nats://127.0.0.1:${this.port}`;
  }

  get pid(): number | undefined {
    return this.#process?.pid;
  }

  /** Starts the server again after `stop` or `kill`, with its files. */
  async start(): Promise<void> {
    const file = join(this.#folder, "nats.conf");
    const store = join(this.#folder, "store");
    const { room } = this.#options;
    const limit = room === undefined ? "" : `, max_file_store: ${room}`;
    const jetStream = this.#options.jetStream === false ? "" : `jetstream { store_dir: "${store}"${limit} }`;
    await writeFile(
      file,
      `host: 127.0.0.1\nport: ${this.port}\n${jetStream}\n${this.#options.config ?? ""}\n`,
    );
    const child = spawn(await natsBinary(), ["-c", file], { stdio: "ignore" });
    this.#process = child;
    while (!(await answers(this.port))) {
      if (child.exitCode !== null) throw new Error(`nats-server ended with ${child.exitCode} while starting`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  /** Stops the server: `SIGTERM` as an operator does, `SIGKILL` as a crash does. */
  async stop(signal: "SIGTERM" | "SIGKILL" = "SIGTERM"): Promise<void> {
    const running = this.#process;
    this.#process = undefined;
    if (!running || running.exitCode !== null || running.signalCode !== null) return;
    const ended = once(running, "exit");
    running.kill(signal);
    if (signal === "SIGTERM") running.kill("SIGCONT");
    await ended;
  }

  /** Deletes all data of JetStream. The server must be stopped before. */
  async forget(): Promise<void> {
    await rm(join(this.#folder, "store"), { recursive: true, force: true });
  }

  pause(): void {
    this.#signal("SIGSTOP");
  }

  resume(): void {
    this.#signal("SIGCONT");
  }

  #signal(signal: NodeJS.Signals): void {
    if (this.#process?.pid) process.kill(this.#process.pid, signal);
  }

  /** Stops the server and deletes its temporary files. */
  async close(): Promise<void> {
    await this.stop("SIGKILL");
    await rm(this.#folder, { recursive: true, force: true });
  }
}

export async function freePort(): Promise<number> {
  return await new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => {
        if (typeof address === "object" && address) resolve(address.port);
        else reject(new Error("no port"));
      });
    });
  });
}

async function answers(port: number): Promise<boolean> {
  return await new Promise((resolve) => {
    const socket = connect({ port, host: "127.0.0.1" });
    socket.once("data", () => {
      resolve(true);
      socket.destroy();
    });
    socket.on("error", () => resolve(false));
  });
}

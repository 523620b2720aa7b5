/**
 * Runs a real Cairn as its users do: the `serve` process on a free port with a new data folder. End-to-end
 * tests, chaos tests and benches use Cairn only through the command line, the environment and HTTP.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ExplorationStatus } from "../../../machines/exploration/exploration-protocol.ts";
import { killTree, threadsOf } from "./process-tree.ts";

const ROOT = join(import.meta.dir, "../../..");
/**
 * Time limit for a start in milliseconds. A start alone takes less than five seconds, but in the complete
 * test suite many processes share few cores.
 */
const START_TIMEOUT = 60_000;
/**
 * The start of a command line. It makes Linux kill the command together with the test process. When a test
 * process is killed, no `afterAll` runs, so a Cairn would otherwise continue to run.
 */
const ENDS_WITH_TESTS = Bun.which("setpriv") ? ["setpriv", "--pdeathsig", "KILL"] : [];
/**
 * Shell script that runs a command until its standard input ends, then stops the command and removes its data
 * folder. The input also ends when the test process ends, so no Cairn outlives its test.
 */
const UNTIL_INPUT_ENDS = '"$@" & cat; kill $!; wait $!; rm -rf "$CAIRN_DATA"';

export interface CairnOptions {
  readonly data: string;
  readonly port?: number;
  readonly env?: Readonly<Record<string, string>>;
  /** The source folder of the Cairn that is run. The default is this project. */
  readonly root?: string;
  /** Stops the Cairn and removes its data folder when this test process has ended in any way. */
  readonly endsWithTests?: boolean;
}

export interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: whatever the server answers; tests look into it and fail on a wrong shape
  readonly body: any;
}

/** The output of a command, and its exit code. */
export interface Finished {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Command {
  readonly child: ChildProcess;
  readonly pid: number;
  /** Returns everything that the process has printed so far. */
  output(): { readonly stdout: string; readonly stderr: string };
  readonly ended: Promise<Finished>;
}

/**
 * Runs `cairn <args…>` as a child process that does not inherit this machine's Cairn settings.
 */
export function runCairn(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  { root = ROOT, endsWithTests = false }: Pick<CairnOptions, "root" | "endsWithTests"> = {},
): Command {
  const cairn = [process.execPath, "gateway/main.ts", ...args];
  const [program = "", ...rest] = endsWithTests
    ? ["sh", "-c", UNTIL_INPUT_ENDS, "sh", ...cairn]
    : [...ENDS_WITH_TESTS, ...cairn];
  const child = spawn(program, rest, {
    cwd: root,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
    stdio: [endsWithTests ? "pipe" : "ignore", "pipe", "pipe"],
  });
  if (!child.stdout || !child.stderr) throw new Error("The output of the process cannot be read.");
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  if (child.pid === undefined) throw new Error(`${process.execPath} could not be started`);
  return {
    child,
    pid: child.pid,
    output: () => ({ stdout, stderr }),
    ended: new Promise((resolve) => {
      child.on("close", (code, signal) => resolve({ code, signal, stdout, stderr }));
    }),
  };
}

export class Cairn {
  readonly url: string;
  readonly pid: number;
  /** The data folder, in which commands such as `cairn task` find the address of this Cairn. */
  readonly data: string;
  readonly #command: Command;

  private constructor(url: string, data: string, command: Command) {
    this.url = url;
    this.pid = command.pid;
    this.data = data;
    this.#command = command;
  }

  /** Starts `serve` and returns immediately, before the process is ready. */
  static async launch(options: CairnOptions): Promise<Cairn> {
    const port = options.port ?? (await freePort());
    const env = { CAIRN_DATA: options.data, HOST: "127.0.0.1", PORT: String(port), ...options.env };
    const command = runCairn(["serve"], env, options);
    return new Cairn(`http://127.0.0.1:${port}`, options.data, command);
  }

  /**
   * Starts `cairn serve` and waits until `/ready` succeeds. Throws an error with the process's output if the
   * process ends first.
   */
  static async start(options: CairnOptions): Promise<Cairn> {
    const cairn = await Cairn.launch(options);
    const deadline = Date.now() + START_TIMEOUT;
    while (!(await cairn.#ready())) {
      if (cairn.#command.child.exitCode !== null || Date.now() > deadline) {
        await cairn.kill();
        const { stdout, stderr } = cairn.output;
        throw new Error(`cairn serve did not come up:\n${stdout}\n${stderr}`);
      }
      await Bun.sleep(20);
    }
    return cairn;
  }

  get output(): { readonly stdout: string; readonly stderr: string } {
    return this.#command.output();
  }

  /** Resolves when the process has ended. */
  get ended(): Promise<Finished> {
    return this.#command.ended;
  }

  /**
   * Returns the answer of `/ready`, the threads and the complete output, for the message of a failed test.
   */
  async circumstances(): Promise<string> {
    const ready = await this.get("/ready").then(({ body }) => JSON.stringify(body), String);
    const { stdout, stderr } = this.output;
    return [`/ready: ${ready}`, ...(await threadsOf(this.pid)), stdout, stderr].join("\n");
  }

  async get(path: string): Promise<Answer> {
    return answer(await fetch(this.url + path));
  }

  async post(path: string, body: unknown): Promise<Answer> {
    return answer(
      await fetch(this.url + path, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      }),
    );
  }

  /** Calls a tool over REST. */
  call(tool: string, args: Readonly<Record<string, unknown>> = {}): Promise<Answer> {
    return this.post("/mcp/tools/call", { tool, arguments: args });
  }

  async put(path: string, body: unknown): Promise<Answer> {
    const headers = { "content-type": "application/json" };
    return answer(await fetch(this.url + path, { method: "PUT", headers, body: JSON.stringify(body) }));
  }

  async delete(path: string): Promise<Answer> {
    return answer(await fetch(this.url + path, { method: "DELETE" }));
  }

  async status(jobId: string): Promise<ExplorationStatus> {
    const { status, body } = await this.get(`/api/knowledge/explore/status/${jobId}`);
    if (status !== 200) throw new Error(`status of ${jobId} answered ${status}: ${JSON.stringify(body)}`);
    // The cast is not checked. The protocol specification defines the shape, and a test that reads a missing
    // field fails.
    return body as ExplorationStatus;
  }

  /** Stops the process with SIGTERM and returns how it ended. */
  async stop(): Promise<Finished> {
    this.#command.child.kill("SIGTERM");
    const patience = setTimeout(() => killTree(this.pid), 30_000);
    const finished = await this.#command.ended;
    clearTimeout(patience);
    return finished;
  }

  /** Sends SIGKILL to the process and all its descendants. */
  async kill(): Promise<void> {
    killTree(this.pid);
    await this.#command.ended;
  }

  async #ready(): Promise<boolean> {
    try {
      return (await fetch(`${this.url}/ready`)).ok;
    } catch {
      // The error is ignored: the process does not listen yet, so the request is repeated.
      return false;
    }
  }
}

/** Creates a new data folder. The caller must call `remove` in the end. */
export async function dataFolder(): Promise<{ readonly path: string; remove(): Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), "cairn-test-"));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}

/** Returns a port on which nothing listened when the function was called. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === "string") throw new Error("no port was given");
  return address.port;
}

async function answer(response: Response): Promise<Answer> {
  const text = await response.text();
  try {
    return { status: response.status, body: text === "" ? null : JSON.parse(text) };
  } catch (cause) {
    throw new Error(`${response.url} answered ${response.status} with no JSON: ${text.slice(0, 300)}`, {
      cause,
    });
  }
}

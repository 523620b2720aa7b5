/** A real S3-compatible server for tests (versitygw), with one bucket in a temporary folder. */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { freePort } from "../e2e/support/cairn-test-process.ts";

const NAME = "versitygw";
const CACHE = join(import.meta.dirname, "..", "..", "node_modules", ".cache", NAME);
const GO_MODULE = "github.com/versity/versitygw/cmd/versitygw@v1.8.0";
/** Time limit of the build in milliseconds. With an empty module cache it takes minutes. */
const BUILD_TIMEOUT = 600_000;
const BUCKET = "results";
const ACCESS_KEY = "granite";
/**
 * The key contains `/` and `+`, so the server accepts it only if requests are signed and encoded correctly.
 */
const SECRET_KEY = "felsite/basalt+slate";

/**
 * Returns the path of the program versitygw (an S3 server). Returns `undefined` if the program is not
 * installed and cannot be built.
 */
export async function s3Binary(): Promise<string | undefined> {
  const folders = [...(process.env.PATH ?? "").split(delimiter), CACHE];
  const find = () => folders.map((folder) => join(folder, NAME)).find((path) => existsSync(path));
  const found = find();
  if (found) return found;
  try {
    await mkdir(CACHE, { recursive: true });
    const env = { ...process.env, GOBIN: CACHE, GOFLAGS: "-modcacherw" };
    await promisify(execFile)("go", ["install", GO_MODULE], { timeout: BUILD_TIMEOUT, env });
  } catch (error) {
    console.warn(`${NAME} could not be built: ${String(error)}`);
  }
  return find();
}

export class S3Server {
  readonly settings: {
    readonly endpoint: string;
    readonly bucket: string;
    readonly accessKey: string;
    readonly secretKey: string;
  };
  readonly #folder: string;
  readonly #process: ChildProcess;

  private constructor(child: ChildProcess, port: number, folder: string) {
    this.#process = child;
    this.#folder = folder;
    this.settings = {
      endpoint: `http://127.0.0.1:${port}`,
      bucket: BUCKET,
      accessKey: ACCESS_KEY,
      secretKey: SECRET_KEY,
    };
  }

  static async start(binary: string): Promise<S3Server> {
    const folder = await mkdtemp(join(tmpdir(), "cairn-test-s3-"));
    const [objects, metadata] = [join(folder, "objects"), join(folder, "metadata")];
    await mkdir(join(objects, BUCKET), { recursive: true });
    // The server stores the metadata of objects in this folder. Otherwise it would need a file system with
    // extended attributes.
    await mkdir(metadata);
    const port = await freePort();
    const address = ["--port", `127.0.0.1:${port}`];
    const login = ["--access", ACCESS_KEY, "--secret", SECRET_KEY];
    const child = spawn(binary, [...address, ...login, "posix", "--sidecar", metadata, objects], {
      stdio: "ignore",
    });
    const server = new S3Server(child, port, folder);
    while (!(await answers(server.settings.endpoint))) {
      if (child.exitCode !== null) throw new Error(`${NAME} ended with ${child.exitCode}`);
      await Bun.sleep(50);
    }
    return server;
  }

  /** Returns the text of each object in the bucket, by the object's path. */
  async objects(): Promise<ReadonlyMap<string, string>> {
    const root = join(this.#folder, "objects", BUCKET);
    const entries = await readdir(root, { recursive: true, withFileTypes: true });
    const objects = new Map<string, string>();
    for (const entry of entries) {
      const path = join(entry.parentPath, entry.name);
      if (entry.isFile()) objects.set(path.slice(root.length + 1), await readFile(path, "utf8"));
    }
    return objects;
  }

  async stop(): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    const ended = once(this.#process, "exit");
    this.#process.kill("SIGKILL");
    await ended;
  }

  async remove(): Promise<void> {
    await this.stop();
    await rm(this.#folder, { recursive: true, force: true });
  }
}

async function answers(endpoint: string): Promise<boolean> {
  try {
    await fetch(endpoint);
    return true;
  } catch {
    // The error is ignored, because the server does not listen yet.
    return false;
  }
}

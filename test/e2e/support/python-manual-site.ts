/**
 * A real documentation site: the HTML of Debian's Python manual with about 530 pages. It is read from
 * `/usr/share/doc` if the package is installed, otherwise downloaded with `apt-get download` and unpacked
 * into a cache folder.
 */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

const SYSTEM_DOC = "/usr/share/doc";
const CACHE = join(import.meta.dirname, "../../../node_modules/.cache/cairn");
const PACKAGE = "python3-doc";

/** Returns the folder of the Python manual that contains `index.html`. */
export async function pythonManual(): Promise<string> {
  const installed = await manualUnder(SYSTEM_DOC);
  if (installed) return installed;
  const cached = join(CACHE, "python-manual");
  const unpacked = await manualUnder(join(cached, "usr/share/doc"));
  if (unpacked) return unpacked;
  try {
    await unpack(cached);
  } catch (cause) {
    throw new Error(
      `No Python manual to explore. Either install Debian's ${PACKAGE} or run where apt-get and dpkg-deb work ` +
        `(no root needed once \`apt-get update\` has run): ${cause instanceof Error ? cause.message : String(cause)}`,
      { cause },
    );
  }
  const fresh = await manualUnder(join(cached, "usr/share/doc"));
  if (!fresh)
    throw new Error(`Debian's ${PACKAGE} holds no python3*/html/index.html any more; see ${cached}`);
  return fresh;
}

/**
 * Returns the folder with the manual's files, such as `python3.11/html`. `python3/html` is not used, because
 * it may be a symbolic link with a missing target.
 */
async function manualUnder(folder: string): Promise<string | undefined> {
  if (!existsSync(folder)) return undefined;
  const candidates = (await readdir(folder))
    .filter((name) => /^python3\.\d+$/.test(name))
    .sort((a, b) => Number(b.slice("python3.".length)) - Number(a.slice("python3.".length)))
    .map((name) => join(folder, name, "html"));
  return candidates.find((path) => existsSync(join(path, "index.html")));
}

async function unpack(target: string): Promise<void> {
  await mkdir(CACHE, { recursive: true });
  const work = await mkdtemp(join(CACHE, "unpack-"));
  try {
    const documentation = await realPackage();
    await run("apt-get", ["download", documentation], { cwd: work });
    const archive = (await readdir(work)).find((name) => name.endsWith(".deb"));
    if (!archive) throw new Error(`apt-get download ${documentation} left no .deb`);
    await run("dpkg-deb", ["-x", join(work, archive), join(work, "root")]);
    await rm(target, { recursive: true, force: true });
    await rename(join(work, "root"), target);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/**
 * Returns the name of the package with the documentation of the current Python version. The package
 * `python3-doc` contains no files, but depends on that package.
 */
async function realPackage(): Promise<string> {
  const known = await dependency();
  if (known) return known;
  await run("apt-get", ["update"]);
  const updated = await dependency();
  if (!updated) throw new Error(`apt-cache knows no dependency of ${PACKAGE}, even after apt-get update`);
  return updated;
}

async function dependency(): Promise<string | undefined> {
  try {
    const { stdout } = await run("apt-cache", ["depends", PACKAGE]);
    return /^\s*Depends:\s*(python3\.\d+-doc)\s*$/m.exec(stdout)?.[1];
  } catch (error) {
    // Exit code 100 means that the package is unknown on this machine. Other errors, for example that
    // apt-cache does not exist, are thrown.
    if (error instanceof Error && "code" in error && error.code === 100) return undefined;
    throw error;
  }
}

/**
 * Third-party single-page applications for benches. They are installed from npm once, outside of the
 * repository (`CAIRN_BENCH_APPLICATIONS`, otherwise a folder in the system's temporary one), and started on
 * free ports.
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, writeFileSync } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { killTree } from "../../e2e/support/process-tree.ts";

interface Place {
  readonly modules: string;
  readonly folder: string;
  readonly port: number;
}

interface Application {
  readonly name: string;
  readonly packages: Readonly<Record<string, string>>;
  /** Path of the page at which the application starts. */
  readonly path: string;
  /**
   * Prepares the folder of the application. Returns the arguments with which node starts it, and additional
   * environment variables.
   */
  start(place: Place): {
    readonly args: readonly string[];
    readonly env?: Readonly<Record<string, string>>;
  };
}

const applications: readonly Application[] = [
  {
    name: "Node-RED",
    packages: { "node-red": "4.1.15" },
    path: "/",
    start: ({ modules, folder, port }) => ({
      args: [join(modules, "node-red/red.js"), "--port", String(port), "--userDir", folder],
    }),
  },
  {
    name: "Verdaccio",
    packages: { verdaccio: "6.8.0" },
    path: "/",
    start({ modules, folder, port }) {
      const config = join(folder, "config.yaml");
      writeFileSync(
        config,
        `storage: ${folder}/storage\nauth: {}\nuplinks: {}\npackages: { "**": { access: $all } }\n`,
      );
      return {
        args: [join(modules, "verdaccio/bin/verdaccio"), "--listen", `127.0.0.1:${port}`, "--config", config],
      };
    },
  },
  {
    name: "The Lounge",
    packages: { thelounge: "2.6.0" },
    path: "/",
    start: ({ modules, folder, port }) => ({
      args: [
        join(modules, "thelounge/index.js"),
        "start",
        "--public",
        "--port",
        String(port),
        "--host",
        "127.0.0.1",
      ],
      env: { LOUNGE_HOME: folder },
    }),
  },
  {
    name: "TiddlyWiki",
    packages: { tiddlywiki: "5.4.1" },
    path: "/",
    start({ modules, folder, port }) {
      const program = join(modules, "tiddlywiki/tiddlywiki.js");
      spawnSync("node", [program, join(folder, "wiki"), "--init", "server"]);
      return { args: [program, join(folder, "wiki"), "--listen", `port=${port}`] };
    },
  },
  {
    name: "Cloud Commander",
    packages: { cloudcmd: "18.8.11" },
    path: "/",
    start: ({ modules, folder, port }) => ({
      args: [
        join(modules, "cloudcmd/bin/cloudcmd.mjs"),
        "--port",
        String(port),
        "--root",
        folder,
        "--no-auth",
        "--no-open",
      ],
    }),
  },
];

export interface RunningApplication {
  readonly name: string;
  readonly url: string;
  stop(): Promise<void>;
}

/** Time limit in milliseconds for an application to answer after its start. */
const STARTS_WITHIN = 60_000;

export function applicationNames(): readonly string[] {
  return applications.map(({ name }) => name);
}

/** Installs all applications that are not installed yet. The packages' own install scripts are not run. */
export async function installApplications(): Promise<string> {
  const folder = process.env.CAIRN_BENCH_APPLICATIONS ?? join(tmpdir(), "cairn-bench-applications");
  const packages = Object.assign({}, ...applications.map(({ packages }) => packages)) as Record<
    string,
    string
  >;
  await mkdir(folder, { recursive: true });
  const modules = join(folder, "node_modules");
  if (Object.keys(packages).every((name) => existsSync(join(modules, name)))) return modules;
  console.log(`installing the applications of the bench in ${folder} (once, some minutes) …`);
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, dependencies: packages }));
  const { status } = spawnSync(
    "npm",
    ["install", "--prefix", folder, "--no-audit", "--no-fund", "--ignore-scripts", "--omit=dev"],
    { stdio: "inherit" },
  );
  if (status !== 0)
    throw new Error("npm could not install the applications; they need the npm registry once.");
  return modules;
}

export async function startApplication(name: string, modules: string): Promise<RunningApplication> {
  const application = applications.find((one) => one.name === name);
  if (!application) throw new Error(`There is no application "${name}".`);
  const folder = mkdtempSync(join(tmpdir(), "cairn-application-"));
  const port = await freePort();
  const { args, env = {} } = application.start({ modules, folder, port });
  const child = spawn("node", args, {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const output: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (data) => output.push(String(data)));
  const stop = async (): Promise<void> => {
    if (child.pid !== undefined) killTree(child.pid);
    await rm(folder, { recursive: true, force: true });
  };
  const url = `http://127.0.0.1:${port}${application.path}`;
  try {
    await answers(url, child);
  } catch (error) {
    await stop();
    throw new Error(`${name} did not start: ${output.join("").slice(-2_000)}`, { cause: error });
  }
  return { name, url, stop };
}

async function answers(url: string, child: ChildProcess): Promise<void> {
  const until = performance.now() + STARTS_WITHIN;
  for (;;) {
    const response = await fetch(url).catch(() => undefined);
    if (response?.ok) return;
    if (child.exitCode !== null) throw new Error(`It ended with ${child.exitCode}.`);
    if (performance.now() > until) throw new Error(`It did not answer within ${STARTS_WITHIN} ms.`);
    await pause(200);
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address ? address.port : 0));
    });
  });
}

/**
 * Third-party applications from npm and PyPI, each with the screens that a person counts in it. They are
 * installed once, in a folder outside of the repository.
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";

export interface ForeignApp {
  readonly name: string;
  readonly from: "npm" | "pypi";
  readonly packages: readonly string[];
  /**
   * Versions for dependencies of the packages. npm uses them in place of a version range or a tag that some
   * registries cannot resolve.
   */
  readonly overrides?: Readonly<Record<string, string>>;
  /** Path of the page at which the application starts. */
  readonly path: string;
  /**
   * The screens that a person counts in the application, after reading its routes and using it. The pattern
   * of a screen matches the name or id that the screen has in the map.
   */
  readonly screens: Readonly<Record<string, RegExp>>;
  /** Prepares the folder of the application. Returns the command that starts the application. */
  readonly command: (folder: string, port: number) => Promise<readonly string[]>;
  /** Returns the steps of a sign-in (a login recipe) for the application at the given origin. */
  readonly login?: (origin: string) => Readonly<Record<string, unknown>>;
}

const bin = (name: string) => join("node_modules", ".bin", name);

const nodeRedScreens = {
  editor: /^node-?red/i,
  "info tab": /\binfo/i,
  "help tab": /help/i,
  "debug tab": /debug/i,
  "configuration tab": /config/i,
  "context tab": /context/i,
  "main menu": /menu|bars|btn-sidemenu/i,
  "deploy menu": /deploy/i,
  "search dialog": /search/i,
  "palette filter": /palette|filter/i,
  "flow menu": /list flows|caret down|flows?, /i,
  navigator: /navigat|map o/i,
  import: /import/i,
  export: /export/i,
  "user settings": /settings/i,
  "keyboard shortcuts": /keyboard/i,
};

export const foreignApps: readonly ForeignApp[] = [
  {
    name: "verdaccio",
    from: "npm",
    packages: ["verdaccio@5.33.0"],
    overrides: { "node-fetch": "2.7.0" },
    path: "/",
    screens: {
      home: /^verdaccio$/i,
      package: /web detail|^alpha-pkg$/i,
      dependencies: /dependencies$/i,
      versions: /versions$/i,
      uplinks: /up ?links?/i,
      manifest: /manifest$/i,
      login: /login/i,
      settings: /settings$/i,
      translations: /translations$/i,
      about: /info$/i,
      license: /license$/i,
      support: /info, (?:tab|ukraine)/i,
    },
    async command(folder, port) {
      await mkdir(join(folder, "storage", "alpha-pkg"), { recursive: true });
      await writeFile(join(folder, "storage", "alpha-pkg", "package.json"), packument("alpha-pkg"));
      await writeFile(
        join(folder, "storage", ".verdaccio-db.json"),
        JSON.stringify({ list: ["alpha-pkg"], secret: "0123456789abcdef0123456789abcdef" }),
      );
      const config = join(folder, "config.yaml");
      await writeFile(
        config,
        [
          `storage: ${join(folder, "storage")}`,
          `auth: { htpasswd: { file: ${join(folder, "htpasswd")} } }`,
          "uplinks: {}",
          "packages: { '**': { access: $all, publish: $all } }",
          "log: { type: stdout, level: error }",
        ].join("\n"),
      );
      return [bin("verdaccio"), "-l", `127.0.0.1:${port}`, "-c", config];
    },
  },
  {
    name: "node-red",
    from: "npm",
    packages: ["node-red@4"],
    path: "/",
    screens: nodeRedScreens,
    command: async (folder, port) => [bin("node-red"), "-u", join(folder, "user"), "-p", String(port)],
  },
  {
    name: "tiddlywiki",
    from: "npm",
    packages: ["tiddlywiki@5"],
    path: "/",
    screens: {
      start: /^(?:gettingstarted|my tiddlywiki|tiddlywiki|.*just a tiddly.*)/i,
      "recent tab": /recent/i,
      "tools tab": /tools/i,
      "more tab": /more/i,
      "control panel": /control panel/i,
      "advanced search": /advanced search/i,
      "new tiddler": /new tiddler|draft/i,
      "edit tiddler": /edit this tiddler/i,
      "menu of a tiddler": /: more(?:,|$)/i,
      "server status": /server status/i,
      "without the sidebar": /hide sidebar/i,
      "tags in more": /more, tags/i,
      "settings in the control panel": /control panel, settings|controlpanel.*settings/i,
      "search of system tiddlers": /search, system/i,
    },
    async command(folder, port) {
      const wiki = join(folder, "wiki");
      if (!existsSync(wiki)) run(folder, [bin("tiddlywiki"), wiki, "--init", "server"]);
      return [bin("tiddlywiki"), wiki, "--listen", `port=${port}`];
    },
  },
  {
    name: "docsify",
    from: "npm",
    packages: ["docsify@4.13.1"],
    path: "/",
    screens: Object.fromEntries([
      ["welcome", /^(?:handbook|welcome)/i],
      ...Array.from({ length: 20 }, (_, at) => [
        `chapter ${at + 1}`,
        new RegExp(`chapter.${at + 1}\\b`, "i"),
      ]),
    ]),
    async command(folder, port) {
      const site = join(folder, "site");
      await mkdir(site, { recursive: true });
      const chapters = Array.from({ length: 20 }, (_, at) => at + 1);
      await writeFile(
        join(site, "index.html"),
        '<!doctype html><html><head><title>Handbook</title></head><body><div id="app"></div><script>window.$docsify={name:"Handbook",loadSidebar:true}</script><script src="docsify.min.js"></script></body></html>',
      );
      await writeFile(join(site, "README.md"), "# Welcome\n");
      await writeFile(
        join(site, "_sidebar.md"),
        chapters.map((at) => `- [Chapter ${at}](chapter-${at}.md)`).join("\n"),
      );
      for (const at of chapters)
        await writeFile(join(site, `chapter-${at}.md`), `# Chapter ${at}\n\nText ${at}.\n`);
      const script = join(folder, "node_modules", "docsify", "lib", "docsify.min.js");
      await writeFile(join(site, "docsify.min.js"), await Bun.file(script).text());
      return ["python3", "-m", "http.server", String(port), "--bind", "127.0.0.1", "--directory", site];
    },
  },
  {
    name: "optuna-dashboard",
    from: "pypi",
    packages: ["optuna-dashboard"],
    path: "/dashboard/",
    screens: {
      studies: /^(?:optuna dashboard|.*studies)/i,
      compare: /compare/i,
      overview: /^alpha|studies \d|study/i,
      analytics: /analytics/i,
      selection: /smart ?selection/i,
      trials: /trials/i,
      table: /trial ?table/i,
      note: /note/i,
      settings: /settings/i,
      "new study": /: create/i,
      "rename study": /rename/i,
    },
    async command(folder, port) {
      const storage = `sqlite:///${join(folder, "db.sqlite3")}`;
      const study = `import optuna; s = optuna.create_study(storage=${JSON.stringify(storage)}, study_name="alpha", load_if_exists=True); s.optimize(lambda t: t.suggest_float("x", -1, 1) ** 2, n_trials=5)`;
      run(folder, [join("venv", "bin", "python"), "-c", study]);
      return [join("venv", "bin", "optuna-dashboard"), storage, "--port", String(port)];
    },
  },
  {
    name: "node-red, signed in",
    from: "npm",
    packages: ["node-red@4"],
    path: "/",
    screens: nodeRedScreens,
    async command(folder, port) {
      const settings = join(folder, "settings.js");
      // The bcrypt hash of the password "engine", with which the bench signs in.
      const hash = Bun.password.hashSync("engine", { algorithm: "bcrypt", cost: 8 }).replace(/^\$2b/, "$2a");
      await writeFile(
        settings,
        `module.exports = { adminAuth: { type: "credentials", users: [{ username: "ada", password: ${JSON.stringify(hash)}, permissions: "*" }] } };`,
      );
      return [bin("node-red"), "-u", join(folder, "user-2"), "-s", settings, "-p", String(port)];
    },
    login: (origin) => ({
      url: `${origin}/`,
      fields: [
        { selector: "#node-dialog-login-username", value: "ada" },
        { selector: "#node-dialog-login-password", value: "engine" },
      ],
      submit: "#node-dialog-login-submit",
      success: { selector: "#red-ui-header-button-deploy" },
    }),
  },
];

export interface RunningForeignApp {
  readonly origin: string;
  stop(): void;
}

const ROOT = process.env.CAIRN_BENCH_APPS ?? join(homedir(), ".cache", "cairn-bench-apps");
const START_WITHIN = 60_000;

/** Installs an application if it is not installed yet, and starts it. */
export async function startForeignApp(app: ForeignApp, port: number): Promise<RunningForeignApp> {
  const folder = join(ROOT, app.packages[0]?.replace(/[^a-z0-9]+/gi, "-") ?? app.name);
  await mkdir(folder, { recursive: true });
  await install(app, folder);
  const [command = "", ...args] = await app.command(folder, port);
  const child: ChildProcess = spawn(command, args, { cwd: folder, stdio: "ignore" });
  const origin = `http://127.0.0.1:${port}`;
  for (const until = Date.now() + START_WITHIN; ; await Bun.sleep(200)) {
    const answered = await fetch(origin + app.path).then(
      ({ status }) => status < 500,
      () => false,
    );
    if (answered) break;
    if (Date.now() > until || child.exitCode !== null) throw new Error(`${app.name} did not start`);
  }
  return { origin, stop: () => void child.kill() };
}

async function install({ from, packages, overrides = {} }: ForeignApp, folder: string): Promise<void> {
  if (existsSync(join(folder, "installed"))) return;
  if (from === "npm") {
    await writeFile(join(folder, "package.json"), JSON.stringify({ private: true, overrides }));
    run(folder, [
      "npm",
      "install",
      "--prefix",
      folder,
      "--no-audit",
      "--no-fund",
      "--ignore-scripts",
      ...packages,
    ]);
  } else {
    run(folder, ["python3", "-m", "venv", "venv"]);
    run(folder, [join("venv", "bin", "pip"), "install", "-q", ...packages]);
  }
  run(folder, ["touch", "installed"]);
}

function run(folder: string, [command = "", ...args]: readonly string[]): void {
  const { status } = spawnSync(command, args, { cwd: folder, stdio: ["ignore", "ignore", "inherit"] });
  if (status !== 0) throw new Error(`${command} ${args.join(" ")} failed in ${folder}`);
}

function packument(name: string): string {
  const version = {
    name,
    version: "1.0.0",
    description: "A package",
    dependencies: { lodash: "4" },
    dist: { shasum: "0", tarball: `http://localhost/${name}/-/${name}-1.0.0.tgz` },
  };
  return JSON.stringify({
    name,
    versions: { "1.0.0": version },
    time: {
      created: "2026-01-01T00:00:00.000Z",
      modified: "2026-01-01T00:00:00.000Z",
      "1.0.0": "2026-01-01T00:00:00.000Z",
    },
    "dist-tags": { latest: "1.0.0" },
    readme: `# ${name}`,
    _attachments: {},
    _uplinks: {},
    _distfiles: {},
    _rev: "1-0",
  });
}

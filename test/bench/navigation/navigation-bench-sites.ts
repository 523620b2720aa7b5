/**
 * The sites of the bench. Each is software from a package, installed outside the repository, filled with
 * generated content (its "world"), and served.
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { freePort } from "../../e2e/support/cairn-test-process.ts";
import type { Language } from "./bench-sentences.ts";
import { program, programQuestions, valley, valleyQuestions } from "./bench-wiki-subjects.ts";
import { newsWorld, type PapersWorld, subjectsWorld } from "./generated-article-content.ts";
import { type ForumWorld, forumWorld } from "./generated-forum-content.ts";
import { HOUR } from "./navigation-bench-question-types.ts";

/**
 * Addresses of the generated threads and pages on the site. The script that loads the content into the site
 * writes them.
 */
export interface SiteMap {
  readonly index: string;
  readonly listings: readonly string[];
  readonly others: readonly string[];
  readonly boards?: Readonly<Record<string, string>>;
  readonly threads?: Readonly<Record<string, string>>;
  /** Addresses of pages that each show a single message of a thread. Absent if the site has no such pages. */
  readonly messages?: Readonly<Record<string, string>>;
  readonly sections?: Readonly<Record<string, string>>;
  readonly pages?: Readonly<Record<string, string>>;
}

export interface ForeignSite {
  readonly name: string;
  readonly world: (now: number) => ForumWorld | PapersWorld;
  /** Whether the site's pages show the author and the date of a post. */
  readonly signed: boolean;
  /** Whether comments are shown below the site's articles. */
  readonly comments: boolean;
  /**
   * Whether the site is held out: the authors have not looked at it while they made or changed rules of
   * Cairn. So its figures are reported separately.
   */
  readonly heldBack?: true;
}

export interface ServedSite {
  readonly origin: string;
  readonly world: ForumWorld | PapersWorld;
  readonly map: SiteMap;
  stop(): Promise<void>;
}

const forum = (name: string, seed: number, language: Language, topics: readonly string[]): ForeignSite => ({
  name,
  signed: true,
  comments: false,
  world: (now) => forumWorld({ seed, language, topics, authors: MEMBERS, others: 40, now }),
});
const news = (name: string, seed: number, topics: readonly string[], comments = false): ForeignSite => ({
  name,
  signed: true,
  comments,
  world: (now) => newsWorld({ seed, topics, authors: WRITERS, others: 40, paywalls: true, comments, now }),
});

const MEMBERS = [
  "ada_k",
  "bert77",
  "Cora_Lind",
  "dmitri",
  "eve_s",
  "fjord",
  "Gustav",
  "hana",
  "ivo-m",
  "June",
];
const WRITERS = ["Ada Kern", "Bert Olsen", "Cora Lind", "Dora Weiss"];

export const foreignSites: readonly ForeignSite[] = [
  forum("spirit", 11, "de", ["Kelvora", "Brunwick"]),
  forum("machina", 12, "fr", ["Ostrelle", "Vantour"]),
  forum("punkweb", 13, "en", ["Tarnholm", "Quillby"]),
  forum("hyperkitty", 14, "en", ["libmorra", "Pelkan"]),
  forum("mhonarc", 15, "en", ["Fenwick", "Orsolo"]),
  forum("public-inbox", 16, "es", ["Zandora", "Meriton"]),
  news("pelican", 17, ["Kelvora", "Brunwick"]),
  {
    name: "dokuwiki",
    signed: false,
    comments: false,
    world: (now) => subjectsWorld({ seed: 18, subjects: valley, questions: valleyQuestions, now }),
  },
  {
    name: "mediawiki",
    signed: false,
    comments: false,
    world: (now) => subjectsWorld({ seed: 19, subjects: valley, questions: valleyQuestions, now }),
  },
  {
    name: "mkdocs",
    signed: false,
    comments: false,
    world: (now) => subjectsWorld({ seed: 20, subjects: program, questions: programQuestions, now }),
  },
  { ...news("jekyll", 21, ["Tormund", "Askeby"]), heldBack: true },
  { ...forum("flaskbb", 23, "de", ["Torvela", "Halmstett"]), heldBack: true },
  forum("sympa", 24, "en", ["Corvane", "libtasso"]),
  { ...news("nikola", 25, ["Ardenne Mills", "Skarholt"]), heldBack: true },
  {
    name: "sphinx",
    signed: false,
    comments: false,
    heldBack: true,
    world: (now) => subjectsWorld({ seed: 22, subjects: program, questions: programQuestions, now }),
  },
  forum("fossil", 26, "en", ["Velmora", "Castelin"]),
  { ...forum("pybbm", 27, "pt", ["Dorvane", "Miresca"]), heldBack: true },
  news("hexo-fluid", 28, ["Garrow", "Pellmark"]),
];

/**
 * Age in milliseconds after which the posts of the sites are generated again. The bench's questions ask for posts of
 * "the last week", and an old site has no such posts.
 */
const WORLD_AGE = 12 * HOUR;
const ROOT = process.env.CAIRN_BENCH_SITES ?? join(homedir(), ".cache", "cairn-bench-sites");

/**
 * Installs the site if it is not installed yet, generates its content again if it is too old, and starts the
 * site.
 */
export async function serveForeignSite(site: ForeignSite, reload: boolean): Promise<ServedSite> {
  const folder = join(ROOT, site.name);
  const script = join(import.meta.dir, "sites", `${site.name}.sh`);
  const worldFile = join(folder, "world.json");
  const mapFile = join(folder, "truth.json");
  await mkdir(folder, { recursive: true });
  if (!existsSync(join(folder, "installed"))) {
    console.log(`installing ${site.name} (once) …`);
    runScript(script, "install", folder);
    await Bun.write(join(folder, "installed"), "");
  }
  const age = existsSync(mapFile) ? Date.now() - (await stat(mapFile)).mtimeMs : Number.POSITIVE_INFINITY;
  if (reload || age > WORLD_AGE) {
    console.log(`loading ${site.name} …`);
    await Bun.write(worldFile, JSON.stringify(site.world(Date.now())));
    runScript(script, "load", folder);
  }
  const port = await freePort();
  const child = spawn("bash", [script, "serve", folder, String(port)], {
    env: scriptEnvironment(),
    stdio: "ignore",
    detached: true,
  });
  const origin = `http://127.0.0.1:${port}`;
  const map: SiteMap = await Bun.file(mapFile).json();
  await answers(origin + map.index, child, site.name);
  return { origin, world: await Bun.file(worldFile).json(), map, stop: () => stopped(child) };
}

function runScript(script: string, verb: string, folder: string): void {
  const { status } = spawnSync("bash", [script, verb, folder], {
    stdio: "inherit",
    env: scriptEnvironment(),
  });
  if (status !== 0)
    throw new Error(`${script} ${verb} failed; its output is above and in ${folder}/load.log.`);
}

const scriptEnvironment = () => ({ ...process.env, TZ: "UTC" });

async function answers(url: string, child: ChildProcess, name: string): Promise<void> {
  for (let attempt = 0; attempt < 300; attempt++) {
    if (child.exitCode !== null) break;
    const response = await fetch(url).catch(() => undefined);
    if (response?.ok) return;
    await Bun.sleep(200);
  }
  await stopped(child);
  throw new Error(`${name} does not answer at ${url}`);
}

async function stopped(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.pid === undefined) return;
  const ended = new Promise((resolve) => child.once("exit", resolve));
  process.kill(-child.pid, "SIGTERM");
  await ended;
}

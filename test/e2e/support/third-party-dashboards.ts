/** Third-party dashboards from npm and PyPI for dialogues, and what their servers have stored. */
import { Database } from "bun:sqlite";
import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { ForeignApp } from "../../bench/support/third-party-apps-from-packages.ts";

export interface Dashboard extends ForeignApp {
  /** Path of the dashboard's page on which each task begins. */
  readonly page: string;
  /** Names of the buttons that open the form for the tasks of this test. */
  readonly opens: readonly string[];
  /** Returns the names of the objects that the dashboard's server has stored, without unfinished drafts. */
  stored(origin: string): Promise<readonly string[]>;
}

/** @param data an empty folder in which the dashboards store their data */
export function dashboards(
  data: string,
): Readonly<Record<"cities" | "studies" | "notes" | "files", Dashboard>> {
  const cities = join(data, "cities.db");
  const files = join(data, "files");
  const screens = {};
  return {
    cities: {
      name: "sqlite-web",
      from: "pypi",
      packages: ["sqlite-web==0.8.2"],
      screens,
      path: "/",
      page: "/city/insert/",
      opens: [],
      async command(_folder, port) {
        using database = new Database(cities);
        database.run("CREATE TABLE city (name TEXT, country TEXT)");
        return [join("venv", "bin", "sqlite_web"), "-p", String(port), "-x", cities];
      },
      async stored() {
        using database = new Database(cities, { readonly: true });
        const rows = z
          .array(z.object({ name: z.string().nullable(), country: z.string().nullable() }))
          .parse(database.query("SELECT name, country FROM city").all());
        return rows.map(({ name, country }) => `${name ?? ""}, ${country ?? ""}`);
      },
    },
    studies: {
      name: "optuna-dashboard",
      from: "pypi",
      packages: ["optuna-dashboard==0.21.0"],
      screens,
      path: "/dashboard/",
      page: "/dashboard/",
      opens: ["Create", "Add"],
      async command(folder, port) {
        const storage = `sqlite:///${join(data, "studies.db")}`;
        // The dashboard starts only with a database that has tables, so a script creates the tables first.
        const script = `import optuna; optuna.storages.RDBStorage(${JSON.stringify(storage)})`;
        const { exitCode } = Bun.spawnSync([join("venv", "bin", "python"), "-c", script], { cwd: folder });
        if (exitCode !== 0) throw new Error("optuna could not create its database");
        return [join("venv", "bin", "optuna-dashboard"), storage, "--port", String(port)];
      },
      async stored(origin) {
        const answer = await (await fetch(`${origin}/api/studies`)).json();
        const { study_summaries } = z
          .object({ study_summaries: z.array(z.object({ study_name: z.string() })) })
          .parse(answer);
        return study_summaries.map(({ study_name }) => study_name);
      },
    },
    notes: {
      name: "TiddlyWiki",
      from: "npm",
      packages: ["tiddlywiki@5.4.1"],
      screens,
      path: "/",
      page: "/",
      opens: ["new tiddler"],
      async command(_folder, port) {
        const wiki = join(data, "wiki");
        await mkdir(wiki);
        await Bun.write(
          join(wiki, "tiddlywiki.info"),
          JSON.stringify({
            plugins: ["tiddlywiki/tiddlyweb", "tiddlywiki/filesystem"],
            themes: ["tiddlywiki/vanilla", "tiddlywiki/snowwhite"],
          }),
        );
        return [join("node_modules", ".bin", "tiddlywiki"), wiki, "--listen", `port=${port}`];
      },
      async stored(origin) {
        const answer = await (await fetch(`${origin}/recipes/default/tiddlers.json`)).json();
        return z
          .array(z.object({ title: z.string() }))
          .parse(answer)
          .flatMap(({ title }) => (title.startsWith("Draft of ") ? [] : [title]));
      },
    },
    files: {
      name: "Cloud Commander",
      from: "npm",
      packages: ["cloudcmd@18.8.11"],
      screens,
      path: "/",
      page: "/",
      opens: ["New Directory: F7"],
      async command(_folder, port) {
        await mkdir(files);
        const program = join("node_modules", ".bin", "cloudcmd");
        return [program, "--port", String(port), "--root", files, "--no-auth", "--no-open"];
      },
      stored: () => readdir(files),
    },
  };
}

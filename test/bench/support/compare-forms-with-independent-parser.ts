/**
 * Measures how well Cairn reads forms (which become tasks) in the pages of npm packages. The fields that Cairn finds
 * are compared with the fields that an independent parser finds.
 */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { type CheerioAPI, load } from "cheerio";
import { readPage } from "../../../actors/reading/index.ts";
import { actionsOf } from "../../../machines/knowledge/screens/page-to-screen.ts";
import { formTasks, type TaskField } from "../../../machines/knowledge/tasks/tasks-from-forms.ts";
import { pageRow } from "../../store/sample-store-rows.ts";

const run = promisify(execFile);
const CACHE = join(import.meta.dirname, "../../../node_modules/.cache/cairn/forms");

/** The measured packages, each with the paths of its pages that contain forms. */
const PAGES: Readonly<Record<string, readonly string[]>> = {
  "admin-lte@3.2.0": [
    "pages/forms/general.html",
    "pages/forms/advanced.html",
    "pages/forms/validation.html",
    "pages/examples/login.html",
    "pages/examples/register.html",
    "pages/examples/contact-us.html",
    "pages/examples/profile.html",
    "pages/search/enhanced.html",
  ],
  "startbootstrap-sb-admin-2@4.1.4": ["login.html", "register.html", "forgot-password.html"],
  "gentelella@1.4.0": ["production/form.html", "production/form_validation.html", "production/login.html"],
};

export interface FormScore {
  readonly pages: number;
  readonly forms: number;
  readonly fields: number;
  readonly right: number;
  readonly wrong: readonly string[];
}

/**
 * A form field. Cairn's fields and those of the independent parser are both converted to this format, so that
 * they can be compared.
 */
interface Field {
  readonly key: string;
  readonly type: string;
  readonly required: boolean;
  readonly pattern: string;
  readonly options: string;
}

export async function scoreForms(): Promise<FormScore> {
  const score = { pages: 0, forms: 0, fields: 0, right: 0, wrong: [] as string[] };
  for (const [name, paths] of Object.entries(PAGES)) {
    const folder = await unpacked(name);
    for (const path of paths) {
      const html = await readFile(join(folder, path), "utf8");
      score.pages += 1;
      const found = fieldsFound(html, path);
      for (const [at, truth] of fieldsIn(html).entries()) {
        score.forms += 1;
        const own = new Map((found[at] ?? []).map((field) => [field.key, field]));
        for (const field of truth) {
          score.fields += 1;
          const known = own.get(field.key) ?? sameByCaption(field, [...own.values()]);
          if (known) own.delete(known.key);
          if (known && factsOf(known) === factsOf(field)) score.right += 1;
          else score.wrong.push(`${path} #${at}: ${JSON.stringify(field)} found as ${JSON.stringify(known)}`);
        }
        for (const extra of own.keys()) {
          score.fields += 1;
          score.wrong.push(`${path} #${at}: ${extra} is no field`);
        }
      }
    }
  }
  return score;
}

/** Matches the key of a field without a name, a label, an id or a hint in the DOM. */
const UNNAMED = /^field \d+$/;

/**
 * Returns Cairn's field for a field that has no name in the DOM. Cairn may name it by the text before it, so only the
 * other facts are compared.
 */
function sameByCaption(field: Field, left: readonly Field[]): Field | undefined {
  return UNNAMED.test(field.key) ? left.find((other) => factsOf(other) === factsOf(field)) : undefined;
}

/** Returns everything that must be equal in two readings of one field, without its name. */
function factsOf({ type, required, pattern, options }: Field): string {
  return JSON.stringify([type, required, pattern, options]);
}

async function unpacked(name: string): Promise<string> {
  const folder = join(CACHE, name);
  if (existsSync(join(folder, "package"))) return join(folder, "package");
  await mkdir(folder, { recursive: true });
  const { stdout } = await run("npm", ["pack", name, "--silent"], { cwd: folder });
  await run("tar", ["xzf", stdout.trim().split("\n").at(-1) ?? ""], { cwd: folder });
  return join(folder, "package");
}

/** Returns the fields that Cairn finds in each form of a page. Forms without fields are left out. */
function fieldsFound(html: string, path: string): readonly (readonly Field[])[] {
  const url = `http://forms.test/${path}`;
  const page = readPage({ url, html });
  const row = pageRow(url, {
    url,
    title: page.title,
    headings: page.headings,
    controls: JSON.stringify(page.controls),
  });
  return formTasks(actionsOf(row)).map(({ fields }) => fields.map(plain));
}

function plain({ name, type, constraints }: TaskField): Field {
  const { required = false, pattern = "", options = [] } = constraints;
  return { key: key(name), type: type || "text", required, pattern, options: options.map(key).join("|") };
}

const NO_FIELDS = /^(?:hidden|submit|button|reset|image)$/i;

/**
 * Returns the fields of each form, parsed by cheerio. The bench compares Cairn's own page reader with this
 * result.
 */
function fieldsIn(html: string): readonly (readonly Field[])[] {
  const $ = load(html);
  return $("form")
    .toArray()
    .map((form) => {
      const fields = new Map<string, Field>();
      let at = 0;
      for (const element of $(form).find("input, select, textarea").toArray()) {
        const field = $(element);
        if (NO_FIELDS.test(field.attr("type") ?? "")) continue;
        at += 1;
        const name = key(
          field.attr("name") || labelOf($, element) || field.attr("id") || `field ${at}`,
        ).replaceAll(", ", " ");
        const group = fields.get(name);
        if (group) {
          fields.set(name, { ...group, required: group.required || field.attr("required") !== undefined });
          continue;
        }
        fields.set(name, {
          key: name,
          type: (
            field.attr("type") || (element.tagName === "input" ? "text" : element.tagName)
          ).toLowerCase(),
          required: field.attr("required") !== undefined,
          pattern: field.attr("pattern") ?? "",
          options: field
            .find("option")
            .toArray()
            .flatMap((option) => key($(option).text()) || [])
            .slice(0, 50)
            .join("|"),
        });
      }
      return [...fields.values()];
    })
    .filter((fields) => fields.length > 0);
}

function labelOf($: CheerioAPI, element: Parameters<CheerioAPI>[0]): string {
  const field = $(element as never);
  const id = field.attr("id");
  // All labels of a field make up its name, as in browsers.
  const labels =
    id === undefined
      ? []
      : $(`label[for="${id}"]`)
          .toArray()
          .map((label) => key($(label).text()));
  return (
    field.attr("aria-label") ||
    labels.join(" ") ||
    field.closest("label").text().trim() ||
    field.attr("title") ||
    field.attr("placeholder") ||
    ""
  );
}

function key(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

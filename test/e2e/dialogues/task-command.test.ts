/**
 * Tests `cairn task` as a person uses it: the answers are typed into the process, and the site's server
 * records what was done.
 */
import { expect, setDefaultTimeout, test } from "bun:test";
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { join } from "node:path";
import { html } from "../../sites/test-site-with-given-routes.ts";
import { siteOfTests } from "../../support/site-for-one-test-file.ts";
import { isFull } from "../../test-run-tier-and-seed.ts";
import { cairnOfTests } from "../support/shared-test-cairn.ts";

setDefaultTimeout(90_000);
const ROOT = join(import.meta.dir, "../../..");

const done: string[] = [];

const row = (name: string) =>
  `<li>${name} ${["Edit", "Share"].map((what) => `<button onclick="fetch('/done?${what} ${name}')">${what}</button>`).join("")}</li>`;

const site = siteOfTests({
  "/": html("People", `<h1>People</h1><ul>${row("Anna")}${row("Bert")}</ul>`),
  "/done": ({ url }) => {
    done.push(decodeURIComponent(new URL(url).search.slice(1)));
    return new Response("");
  },
});

const cairn = await cairnOfTests();

/** A running process of `cairn task`, into which the test types as a person does. */
class Typist {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly code: Promise<number | null>;
  output = "";
  #wake = (): void => undefined;

  constructor(...args: readonly string[]) {
    this.#child = spawn(process.execPath, ["gateway/main.ts", "task", ...args], {
      cwd: ROOT,
      env: { PATH: process.env.PATH, HOME: process.env.HOME, CAIRN_DATA: cairn.data },
    });
    const hear = (text: Buffer) => {
      this.output += text;
      this.#wake();
    };
    this.#child.stdout.on("data", hear);
    this.#child.stderr.on("data", hear);
    this.code = new Promise((resolve) => {
      this.#child.on("close", (code) => {
        resolve(code);
        this.#wake();
      });
    });
  }

  async shown(text: string): Promise<void> {
    while (!this.output.includes(text)) {
      if (this.#child.exitCode !== null) throw new Error(`"${text}" was not printed:\n${this.output}`);
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  type(line: string): void {
    this.#child.stdin.write(`${line}\n`);
  }

  interrupt(): void {
    this.#child.kill("SIGINT");
  }
}

test.if(isFull)(
  "cairn task asks two questions in one round, carries out the approved plan and prints each step",
  async () => {
    const task = new Typist("Click Edit and click Share", site.url("/"));
    await task.shown("(1 of 2)");
    task.type("2");
    await task.shown("(2 of 2)");
    task.type("Share for Anna");
    await task.shown("yes, no or cancel");
    expect(done).toEqual([]);
    task.type("perhaps");
    await task.shown("That is no answer to this.");
    task.type("yes");
    expect(await task.code).toBe(0);
    expect(done).toEqual(["Edit Bert", "Share Anna"]);
    for (const line of ['1. Click "Edit"', '2. Click "Share"', "   done", "Done: "])
      expect(task.output).toContain(line);
  },
);

test("Ctrl-C in cairn task cancels the task, and nothing is done", async () => {
  done.length = 0;
  const task = new Typist("Click Edit for Anna", site.url("/"), "--json");
  await task.shown('"planReady"');
  task.interrupt();
  expect(await task.code).toBe(130);
  const last = task.output.trim().split("\n").at(-1) ?? "";
  expect(JSON.parse(last)).toMatchObject({ type: "stateChanged", state: "idle" });
  expect(done).toEqual([]);
});

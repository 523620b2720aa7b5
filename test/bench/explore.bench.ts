/**
 * Measures explorations that press controls. For fixture applications, the found screens and transitions are
 * compared with the known truth. For third-party applications, the found screens are compared with the
 * screens that an exploration by links alone finds.
 */
import { parseArgs } from "node:util";
import type { ExplorationStatus } from "../../machines/exploration/exploration-protocol.ts";
import { SECOND } from "../../machines/time-and-size-units.ts";
import { Cairn, dataFolder } from "../e2e/support/cairn-test-process.ts";
import type { AppTruth } from "../sites/apps/fixture-app-expected-map.ts";
import { type AppName, appNames, startApp } from "../sites/apps/start-fixture-app.ts";
import { exploredMap, type MapInstance } from "./support/bench-explored-map.ts";
import { type Bench, median, type Report, type Row } from "./support/bench-module-interface.ts";
import { labelOf } from "./support/label-of-explored-screen.ts";
import { scoreScreens } from "./support/precision-and-recall-of-screens.ts";
import { redisApps } from "./support/redis-viewer-apps.ts";
import { blindApps } from "./support/third-party-apps-for-blind-tests.ts";
import { type ForeignApp, foreignApps, startForeignApp } from "./support/third-party-apps-from-packages.ts";

const PORT = 18_900;

export const bench: Bench = {
  about: "screens and transitions found by pressing [--half own|foreign] [--apps name,…] [--seconds 90]",
  run,
};

async function run(options: readonly string[]): Promise<Report> {
  const { values } = parseArgs({
    args: [...options],
    options: {
      half: { type: "string" },
      apps: { type: "string" },
      seconds: { type: "string", default: "90" },
    },
  });
  const wanted = values.apps?.split(",");
  const isWanted = (name: string) => wanted === undefined || wanted.includes(name);
  const rows: Row[] = [];
  if (values.half !== "foreign") rows.push(...(await ownApps(appNames.filter(isWanted))));
  if (values.half !== "own") {
    const apps = [...foreignApps, ...redisApps, ...blindApps].filter(({ name }) => isWanted(name));
    rows.push(...(await foreign(apps, Number(values.seconds))));
  }
  return {
    bench: "explore",
    conditions: { seconds: values.seconds, date: new Date().toISOString().slice(0, 10) },
    rows,
  };
}

async function ownApps(names: readonly AppName[]): Promise<Row[]> {
  const data = await dataFolder();
  const cairn = await Cairn.start({ data: data.path, env: { CAIRN_WORKERS: "1" } });
  const rows: Row[] = [];
  const recalls: number[] = [];
  try {
    for (const name of names) {
      const app = startApp(name, name === "order-desk" ? { user: "ada" } : {});
      try {
        const pace = new Pace();
        const request = { start_url: app.url, mode: "interactive", max_actions: 2_000 };
        const found = await exploredMap(cairn, name, request, (status) => pace.add(status));
        const wrote = app.log.filter((request) => request.wrote).length;
        const truth = app.truth.reachable({ signedIn: true, risks: false });
        const labelled = found.map((one) => ({ ...one, truth: labelOf(app.truth, one) }));
        const { f1, missing, wrong } = scoreScreens(labelled, truth);
        const steps = await transitionsFound(cairn, name, app.truth, labelled, truth);
        recalls.push(steps.recall);
        const { interactive } = (await cairn.get(`/api/knowledge/explore/status/${name}-job`)).body;
        console.log(
          `  ${name}: missing ${missing.join(", ") || "none"}; wrong ${wrong.join("; ") || "none"}; steps ${steps.missing.slice(0, 40).join("; ") || "none missing"}`,
        );
        rows.push(
          { name: `${name}: F1 of screens`, figure: f1, unit: "", target: atLeast(0.98) },
          { name: `${name}: recall of transitions`, figure: steps.recall, unit: "", target: atLeast(0.95) },
          {
            name: `${name}: presses a new state`,
            figure: interactive.actions / Math.max(1, interactive.states),
            unit: "presses",
          },
          {
            name: `${name}: new states a second, while there were any`,
            figure: pace.statesPerSecond,
            unit: "1/s",
            target: atLeast(0.5),
          },
          {
            name: `${name}: requests that wrote`,
            figure: wrote,
            unit: "",
            target: { bound: "at most", value: 0, label: "none" },
          },
        );
      } finally {
        await app.stop();
      }
    }
    if (recalls.length > 0)
      rows.push({ name: "recall of transitions, median", figure: median(recalls), unit: "" });
    return rows;
  } finally {
    await cairn.stop();
    await data.remove();
  }
}

/**
 * Measures how many new states (tabs, dialogs, steps) pressing controls finds per second. The time runs from
 * the start of the pressing phase to the last new state. Pages are not states, but the time for opening them
 * counts.
 */
class Pace {
  #startedAt: number | undefined;
  #lastAt = 0;
  #states = 0;

  add({ interactive }: Pick<ExplorationStatus, "interactive">): void {
    if (!interactive) return;
    const now = performance.now();
    this.#startedAt ??= now;
    if (interactive.states > this.#states) [this.#states, this.#lastAt] = [interactive.states, now];
  }

  get statesPerSecond(): number {
    const seconds = (this.#lastAt - (this.#startedAt ?? this.#lastAt)) / SECOND;
    return seconds === 0 ? 0 : this.#states / seconds;
  }
}

function atLeast(value: number) {
  return { bound: "at least", value, label: String(value) } as const;
}

/**
 * Returns which share of the application's true transitions the map contains, and which are missing. Only
 * transitions between screens that were found count. Transitions that write data, are risky or need a
 * signed-out user do not count.
 */
async function transitionsFound(
  cairn: Cairn,
  map: string,
  truth: AppTruth,
  instances: readonly (MapInstance & { readonly truth: string | undefined })[],
  screens: readonly string[],
): Promise<{ readonly recall: number; readonly missing: readonly string[] }> {
  const { body } = await cairn.get(`/api/knowledge/${map}/export`);
  const labels = new Map(instances.map(({ instance, truth: label }) => [instance, label]));
  const has = new Set<string>(
    body.transitions.map(
      ({ from, to }: { from: string; to: string }) => `${labels.get(from)} > ${labels.get(to)}`,
    ),
  );
  const reachable = new Set(screens);
  const wanted = new Set(
    truth.transitions.flatMap(({ from, to, writes, risky, only }) =>
      writes || risky || only === "signed-out" || !reachable.has(from) || !reachable.has(to) || from === to
        ? []
        : [`${from} > ${to}`],
    ),
  );
  const missing = [...wanted].filter((step) => !has.has(step));
  return { recall: wanted.size === 0 ? 1 : 1 - missing.length / wanted.size, missing };
}

async function foreign(apps: readonly ForeignApp[], seconds: number): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [at, app] of apps.entries()) {
    const running = await startForeignApp(app, PORT + at);
    try {
      const links = await foreignScreens(app, running.origin, { mode: "links" });
      const auto = await foreignScreens(app, running.origin, {
        mode: "auto",
        max_seconds: seconds,
        max_actions: 2_000,
      });
      const all = Object.keys(app.screens).length;
      console.log(
        `  ${app.name}: of ${all}: links ${links.found.length} (${links.all} screens), auto ${auto.found.length} (${auto.all} screens, ${auto.actions} presses, ${auto.stopped}); missing ${
          Object.keys(app.screens)
            .filter((name) => !auto.found.includes(name))
            .join(", ") || "none"
        }`,
      );
      rows.push(
        { name: `${app.name}: screens by links, of ${all}`, figure: links.found.length, unit: "screens" },
        { name: `${app.name}: screens by auto, of ${all}`, figure: auto.found.length, unit: "screens" },
      );
    } finally {
      running.stop();
    }
  }
  return rows;
}

async function foreignScreens(app: ForeignApp, origin: string, request: Readonly<Record<string, unknown>>) {
  const data = await dataFolder();
  const cairn = await Cairn.start({ data: data.path, env: { CAIRN_WORKERS: "1" } });
  try {
    await cairn.call("start_knowledge_exploration", {
      start_url: origin + app.path,
      knowledge_id: "app",
      job_id: "job",
      ...request,
      ...(app.login ? { login: app.login(origin) } : {}),
    });
    for (;;) {
      const { body } = await cairn.get("/api/knowledge/explore/status/job");
      if (["completed", "failed", "cancelled"].includes(body.status)) {
        await Bun.sleep(1_000);
        const { body: map } = await cairn.get("/api/knowledge/app/export");
        const { body: list } = await cairn.get("/api/knowledge/app/screens");
        const names: string[] = (map.screens ?? []).map(
          ({ name, screen_id, url }: { name: string; screen_id: string; url: string }) =>
            `${name}\n${screen_id}\n${url}`,
        );
        const lines = names.flatMap((name) => name.split("\n"));
        const found = Object.entries(app.screens).flatMap(([screen, pattern]) =>
          lines.some((line) => pattern.test(line)) ? [screen] : [],
        );
        const { actions = 0, stopped_by: stopped = body.error?.message ?? "links" } = body.interactive ?? {};
        return { found, all: list.screens?.length ?? 0, actions, stopped };
      }
      await Bun.sleep(200);
    }
  } finally {
    await cairn.stop();
    await data.remove();
  }
}

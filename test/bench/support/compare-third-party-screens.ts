/**
 * Compares the screens of applications from packages, explored by a real Cairn, with the true screens in
 * `true-screens-of-third-party-apps.ts`.
 */
import { Cairn, dataFolder } from "../../e2e/support/cairn-test-process.ts";
import { exploredMap } from "./bench-explored-map.ts";
import { type ScreenScore, scoreScreens } from "./precision-and-recall-of-screens.ts";
import { foreignApps, foreignLabel } from "./true-screens-of-third-party-apps.ts";

/**
 * Maximum number of links from the start page to an explored page. It exceeds the default, because some
 * applications have screens that are four links away.
 */
const MAX_DEPTH = 6;

export interface ForeignScore extends ScreenScore {
  readonly app: string;
  readonly pages: number;
  readonly screens: number;
}

/**
 * Explores the third-party applications that are running, and returns the scores of their maps. Prints a line
 * for each application that is not running.
 */
export async function scoreForeignApps(names?: readonly string[]): Promise<readonly ForeignScore[]> {
  const data = await dataFolder();
  const cairn = await Cairn.start({ data: data.path, env: { CAIRN_WORKERS: "1" } });
  const scores: ForeignScore[] = [];
  try {
    for (const app of foreignApps) {
      if (names && names.length > 0 && !names.includes(app.name)) continue;
      const address = `http://127.0.0.1:${app.port}`;
      if (!(await answers(address))) {
        console.log(`  ${app.name}: does not answer at ${address}, left out`);
        continue;
      }
      const found = await exploredMap(cairn, app.name, {
        start_url: address + app.start,
        max_depth: MAX_DEPTH,
        ...app.request,
      });
      const labelled = found.map((one) => ({ ...one, truth: foreignLabel(app, one.url, one.presses) }));
      const truth = [...new Set([...app.expected, ...labelled.flatMap(({ truth: label }) => label ?? [])])];
      const score = scoreScreens(labelled, truth);
      console.log(`  ${app.name}: F1 ${score.f1.toFixed(3)}, ${found.length} pages, ${truth.length} screens`);
      scores.push({
        app: app.heldOut ? `${app.name} (held out)` : app.name,
        pages: found.length,
        screens: truth.length,
        ...score,
      });
    }
    return scores;
  } finally {
    await cairn.stop();
    await data.remove();
  }
}

async function answers(address: string): Promise<boolean> {
  try {
    await fetch(address, { signal: AbortSignal.timeout(10_000) });
    return true;
  } catch {
    return false; // The application is not running, so the comparison skips it.
  }
}

/**
 * Explores the fixture applications by pressing controls, and compares the found screens with the screens in
 * the applications' descriptions.
 */
import { Cairn, dataFolder } from "../../e2e/support/cairn-test-process.ts";
import { type AppName, appNames, startApp } from "../../sites/apps/start-fixture-app.ts";
import { exploredMap } from "./bench-explored-map.ts";
import { labelOf } from "./label-of-explored-screen.ts";
import { type Recognised, recogniseMutated } from "./measure-screen-recognition.ts";
import { type WalkedPairs, walkPairs } from "./measure-walks-between-screens.ts";
import { type ScreenScore, scoreScreens } from "./precision-and-recall-of-screens.ts";

export interface AppScore extends ScreenScore {
  readonly app: string;
  readonly screens: number;
  readonly recognised?: Recognised;
  readonly walked?: WalkedPairs;
  readonly disturbed?: WalkedPairs;
}

export interface OwnOptions {
  readonly names?: readonly AppName[];
  readonly recognise?: boolean;
  /**
   * Number of pairs of screens in each application. For each pair, a browser walks the route from one screen
   * to the other. The default is 0.
   */
  readonly pairs?: number;
  /**
   * Whether the routes are also walked on a changed application: with unexpected dialogs, with controls in other
   * places, and without one transition that the map contains.
   */
  readonly disturb?: boolean;
}

/**
 * Explores the fixture applications and scores their maps. The expected screens are those that can be reached
 * without changing data.
 */
export async function scoreOwnApps({
  names = appNames,
  recognise = false,
  pairs = 0,
  disturb = false,
}: OwnOptions = {}): Promise<readonly AppScore[]> {
  const data = await dataFolder();
  const cairn = await Cairn.start({ data: data.path, env: { CAIRN_WORKERS: "1" } });
  const scores: AppScore[] = [];
  try {
    for (const name of names) {
      const app = startApp(name, name === "order-desk" ? { user: "ada" } : {});
      try {
        const found = await exploredMap(cairn, name, { start_url: app.url, mode: "interactive" });
        const wrote = app.log.filter((request) => request.wrote).length;
        if (wrote > 0) throw new Error(`${name}: the exploration changed data ${wrote} times`);
        const truth = app.truth.reachable({ signedIn: true, risks: false });
        const labelled = found.map((one) => ({ ...one, truth: labelOf(app.truth, one) }));
        scores.push({
          app: name,
          screens: truth.length,
          ...scoreScreens(labelled, truth),
          ...(recognise ? { recognised: await recogniseMutated(cairn, app, name, found) } : {}),
          ...(pairs > 0 ? { walked: await walkPairs(cairn, app, name, found, { most: pairs }) } : {}),
          ...(disturb
            ? { disturbed: await walkPairs(cairn, app, name, found, { most: pairs, disturbed: true }) }
            : {}),
        });
      } finally {
        await app.stop();
      }
    }
    return scores;
  } finally {
    await cairn.stop();
    await data.remove();
  }
}

/**
 * Recognises the screen that a browser shows. The atlas (the in-memory index of the map) names candidates,
 * and their signatures (what distinguishes their pages) are read from the store. Signatures are most of a
 * map's data, so they are not kept in memory.
 */
import type { Atlas } from "../../../machines/knowledge/in-memory-map.ts";
import { knowledgeLimits } from "../../../machines/knowledge/map-limits.ts";
import {
  knownScreen,
  type RecognisableRecord,
  type Recognition,
  recognise,
  requiredTexts,
  type SeenScreen,
  supportingTexts,
} from "../../../machines/knowledge/screens/screen-recognition.ts";
import type { AvoidedTransitions } from "../../../machines/knowledge/transitions/shortest-route.ts";
import type { KnowledgeId } from "../../../machines/records/record-ids.ts";
import type { ScreenOffers } from "../../../store/records/stored-screens.ts";
import type { MapSource } from "../map-store-interface.ts";

/** A map that is queried: its id, its in-memory index (atlas) and its store. */
export interface OpenMap {
  readonly knowledgeId: KnowledgeId;
  readonly source: MapSource;
  readonly atlas: Atlas;
  /** Transitions that routes must not use, because they do not exist for the caller's role. */
  readonly hidden?: AvoidedTransitions | undefined;
}

export interface RecognisedScreen extends Recognition {
  /**
   * The stored record of the recognised screen; `undefined` when it is not among the records of the
   * candidates.
   */
  readonly record: RecognisableRecord | undefined;
}

export async function recogniseView(
  { knowledgeId, source, atlas }: OpenMap,
  seen: SeenScreen,
): Promise<RecognisedScreen> {
  const ids = await candidatesOf({ knowledgeId, source, atlas }, seen);
  return recogniseAmong(seen, await source.screens.recognisable(knowledgeId, ids), atlas);
}

/**
 * Recognises the screen that a browser shows, and also returns the transitions and actions of the most likely
 * page. One request to the store reads both, because answers need both.
 */
export async function recogniseWithOffers(
  { knowledgeId, source, atlas }: OpenMap,
  seen: SeenScreen,
): Promise<{
  readonly seen: RecognisedScreen;
  /**
   * Id of the page that the agent's browser most likely shows, whose actions and transitions were read.
   * `undefined` if no screen of the map is likely.
   */
  readonly likely: string | undefined;
  readonly offers: ScreenOffers | undefined;
}> {
  const ids = await candidatesOf({ knowledgeId, source, atlas }, seen);
  const [first] = ids;
  if (first === undefined)
    return { seen: recogniseAmong(seen, [], atlas), likely: undefined, offers: undefined };
  const visited = atlas.byUrl(seen.url)?.screen_id;
  const isCandidate = visited !== undefined && ids.includes(atlas.screenIdOf(visited));
  const likely = isCandidate ? visited : (atlas.group(first)?.example ?? first);
  const { screens, offers } = await source.screens.recognisableAndOffers(knowledgeId, ids, likely);
  return { seen: recogniseAmong(seen, screens, atlas), likely, offers };
}

/**
 * Loads the texts of the screens that the browser may show from the store into the atlas. Returns the ids of these
 * screens.
 */
export async function candidatesOf(
  { knowledgeId, source, atlas }: OpenMap,
  seen: SeenScreen,
): Promise<readonly string[]> {
  const unread = atlas.unreadCrowd(seen);
  for (let from = 0; from < unread.length; from += knowledgeLimits.crowdBatch) {
    await atlas.readCrowd(unread.slice(from, from + knowledgeLimits.crowdBatch), async (ids) => {
      const records = await source.screens.recognisable(knowledgeId, ids);
      return records.map((record) => {
        const screen = knownScreen(record);
        return { id: record.screen_id, texts: requiredTexts(screen), supporting: supportingTexts(screen) };
      });
    });
  }
  return atlas.candidates(seen);
}

/**
 * Returns which of several screens a browser shows.
 *
 * @param records the records of the screens that the in-memory index of the map has found
 * (`atlas.candidates`)
 */
export function recogniseAmong(
  seen: SeenScreen,
  records: readonly RecognisableRecord[],
  atlas: Atlas,
): RecognisedScreen {
  // If several screens match equally well, the screen with the address of the page is chosen.
  const visited = atlas.byUrl(seen.url);
  const home = visited && atlas.screenIdOf(visited.screen_id);
  const recognition = recognise(
    seen,
    records.map((record) => {
      const screen = knownScreen(record);
      return screen.screen_id === home ? { ...screen, url: seen.url } : screen;
    }),
  );
  const { screen } = recognition;
  if (!screen) return { ...recognition, record: undefined };
  // If the recognised page is one of several pages of a screen, the id of this screen is used.
  const meant = atlas.screenIdOf(screen.screen_id);
  const record = records.find((one) => one.screen_id === meant);
  return { ...recognition, screen: record ? { ...knownScreen(record) } : screen, record };
}

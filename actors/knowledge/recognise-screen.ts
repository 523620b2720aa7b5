/**
 * Recognises the screen that a browser shows: the atlas names the candidates, the store has their signatures.
 * Signatures are most of a map's data, so they stay in the store and are read for the few candidates.
 */
import type { Atlas } from "../../machines/knowledge/atlas.ts";
import {
  knownScreen,
  type RecognisableRecord,
  type Recognition,
  recognise,
  type SeenScreen,
} from "../../machines/knowledge/recognition.ts";
import type { KnowledgeId } from "../../machines/records.ts";
import type { MapSource } from "./map-source.ts";

/** The queried map. */
export interface OpenMap {
  readonly knowledgeId: KnowledgeId;
  readonly source: MapSource;
  readonly atlas: Atlas;
}

export interface RecognisedScreen extends Recognition {
  /** Of the recognised screen. */
  readonly record: RecognisableRecord | undefined;
}

export async function recogniseView(
  { knowledgeId, source, atlas }: OpenMap,
  seen: SeenScreen,
): Promise<RecognisedScreen> {
  return recogniseAmong(seen, await source.screens.recognisable(knowledgeId, atlas.candidates(seen)), atlas);
}

/** @param records the records of `atlas.candidates` */
export function recogniseAmong(
  seen: SeenScreen,
  records: readonly RecognisableRecord[],
  atlas: Atlas,
): RecognisedScreen {
  // Of screens that match equally, the one that is known to have been shown at this address.
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
  // An instance was recognised by its own texts: its screen is meant.
  const meant = atlas.screenIdOf(screen.screen_id);
  const record = records.find((one) => one.screen_id === meant);
  return { ...recognition, screen: record ? { ...knownScreen(record) } : screen, record };
}

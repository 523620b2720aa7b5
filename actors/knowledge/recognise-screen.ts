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
  return recogniseAmong(seen, await source.screens.getMany(knowledgeId, atlas.candidates(seen)));
}

/** @param records the records of `atlas.candidates` */
export function recogniseAmong(seen: SeenScreen, records: readonly RecognisableRecord[]): RecognisedScreen {
  const recognition = recognise(seen, records.map(knownScreen));
  const { screen } = recognition;
  return { ...recognition, record: records.find((record) => record.screen_id === screen?.screen_id) };
}

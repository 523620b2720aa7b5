/**
 * Which screen a browser shows: the map in memory names the candidates, the store says what they show.
 *
 * What screens are recognised by is most of what a map knows of them, so it stays in the store and is read for
 * the few that a URL leaves. Neighbours: `place.ts` and `agent.ts` ask, `machines/knowledge/recognition.ts` scores.
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

/** A map that is asked. */
export interface OpenMap {
  readonly knowledgeId: KnowledgeId;
  readonly source: MapSource;
  readonly atlas: Atlas;
}

export interface Sighting extends Recognition {
  /** Of the screen that was recognised. */
  readonly record: RecognisableRecord | undefined;
}

export async function sight({ knowledgeId, source, atlas }: OpenMap, seen: SeenScreen): Promise<Sighting> {
  return sightAmong(seen, await source.screens.getMany(knowledgeId, atlas.candidates(seen)));
}

/** `records`: those of `atlas.candidates`. */
export function sightAmong(seen: SeenScreen, records: readonly RecognisableRecord[]): Sighting {
  const recognition = recognise(seen, records.map(knownScreen));
  const { screen } = recognition;
  return { ...recognition, record: records.find((record) => record.screen_id === screen?.screen_id) };
}

/**
 * Reads from a map what a diff of two maps compares (machines/knowledge/map-diff.ts): the screens, and the
 * pairs of screens with a transition.
 */

import type { MapSketch, SketchedScreen } from "../../machines/knowledge/map-diff.ts";
import { knowledgeLimits } from "../../machines/knowledge/map-limits.ts";
import { stateOfId } from "../../machines/knowledge/screens/page-states-to-map-instances.ts";
import { screenOfAction } from "../../machines/knowledge/screens/page-to-screen.ts";
import type { StateSignature } from "../../machines/records/map-records.ts";
import type { OpenMap } from "./answers/recognise-screen.ts";

export async function sketchMap({ knowledgeId, source, atlas }: OpenMap): Promise<MapSketch> {
  const ids = atlas.screenIds();
  const texts = new Map<string, readonly string[]>();
  for (let from = 0; from < ids.length; from += knowledgeLimits.nameBatch) {
    const some = ids.slice(from, from + knowledgeLimits.nameBatch);
    for (const { screen_id, state_signature } of await source.screens.recognisable(knowledgeId, some)) {
      // The map actor wrote the signature as JSON of `StateSignature`, so the cast is safe.
      const { required_indicators } = JSON.parse(state_signature) as StateSignature;
      texts.set(
        screen_id,
        required_indicators.flatMap(({ value }) => value ?? []),
      );
    }
  }
  const actions = new Map<string, Set<string>>();
  const instances = [...atlas.screens()].map(({ screen_id }) => screen_id).sort();
  for await (const some of source.screens.offered(knowledgeId, instances)) {
    for (const { action_id, name } of some) {
      const screen = atlas.screenIdOf(screenOfAction(action_id));
      // A table may have one action per row, such as "Edit 17" and "Edit 18". Numbers are replaced by `#`, so
      // that all of them count as one action.
      actions.set(screen, (actions.get(screen) ?? new Set()).add(name.replace(/\d+/g, "#")));
    }
  }
  const screens = ids.flatMap((screen_id): readonly SketchedScreen[] => {
    const group = atlas.group(screen_id);
    const example = atlas.get(group?.example ?? screen_id);
    if (!example) return [];
    const url = URL.parse(example.url);
    const state = stateOfId(screen_id);
    const address = group?.templates[0] ?? (url ? url.pathname + url.search + url.hash : example.url);
    return [
      {
        screen_id,
        name: group?.name ?? example.name,
        address: state === undefined ? address : `${address} ~ ${state}`,
        instances: Math.max(atlas.members(screen_id).size, 1),
        texts: texts.get(screen_id) ?? [],
        actions: [...(actions.get(screen_id) ?? [])].sort(),
      },
    ];
  });
  return { screens, transitions: pairsOf(atlas, instances) };
}

function pairsOf(atlas: OpenMap["atlas"], instances: readonly string[]): MapSketch["transitions"] {
  const pairs = new Map<string, readonly [string, string]>();
  for (const instance of instances) {
    const from = atlas.screenIdOf(instance);
    for (const via of atlas.routes.targets(instance)) {
      const target = atlas.routes.resolve(via);
      if (target === undefined) continue;
      const to = atlas.screenIdOf(target);
      if (to !== from) pairs.set(`${from}\n${to}`, [from, to]);
    }
  }
  return [...pairs.values()];
}

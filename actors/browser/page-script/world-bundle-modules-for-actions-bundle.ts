/**
 * Gives the page script's bundle `actions` access to modules of its bundle `world`. The bundle `actions` does
 * not import these modules: the modules have state, and an import would create a second copy of it.
 */
import type { Geometry } from "./actionability/element-geometry.ts";
import type { Identity } from "./actionability/same-element-check.ts";
import type { Describer } from "./snapshot/describe-element.ts";
import type { Fingerprints } from "./snapshot/element-fingerprints-seen-by-caller.ts";

interface SharedModules {
  readonly describer: Describer;
  readonly geometry: Geometry;
  readonly identity: Identity;
  readonly fingerprints: Fingerprints;
}

export const { describer, geometry, identity, fingerprints } = (
  globalThis as unknown as { cairn: SharedModules }
).cairn;

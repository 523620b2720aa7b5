/** Finds the label that a screen of an explored fixture application has in the application's description. */
import { slug } from "../../../machines/knowledge/screens/screen-id.ts";
import type { AppTruth } from "../../sites/apps/fixture-app-expected-map.ts";
import type { MapInstance } from "./bench-explored-map.ts";

/** Returns the true screen of an instance, from its page and the controls that were pressed on it. */
export function labelOf(truth: AppTruth, { url, presses }: MapInstance): string | undefined {
  let here = truth.screenAt(url);
  for (const press of presses) {
    const next = truth.transitions.find(
      ({ from, label, row }) =>
        from === here && (row ? press.startsWith(slug(label)) : slug(label) === press),
    );
    if (!next) return undefined;
    here = next.to;
  }
  return here;
}

/** Controls videos and sounds: play, pause, seek, volume. */

import { registry } from "../page-script-document-state.ts";
import { deepElements, VISIBLE } from "../shadow-dom.ts";
import { identity } from "../world-bundle-modules-for-actions-bundle.ts";

export interface MediaState {
  readonly paused: boolean;
  readonly ended: boolean;
  /** Playback position of the player in seconds. */
  readonly time: number;
  /** Length of the media in seconds; -1 when the length is unknown or infinite. */
  readonly duration: number;
  readonly volume: number;
  readonly muted: boolean;
  /** Why the media cannot be played; empty when there is no error. */
  readonly error: string;
  /** Whether the player is seeking or waiting for data. */
  readonly busy: boolean;
}

export interface Media {
  /**
   * Returns the media player of an element: the element itself, a player inside of it, or the player that the
   * element controls. Without an element, returns the largest visible player.
   */
  find(id: number | null): { readonly id: number; readonly area: number } | undefined;
  state(id: number): MediaState | undefined;
  /** Changes the playback and returns at once. Whether the player plays is shown later by `state`. */
  set(
    id: number,
    what:
      | { readonly play: boolean }
      | { readonly time: number }
      | { readonly volume: number }
      | { readonly muted: boolean },
  ): void;
}

const refusals = new WeakMap<HTMLMediaElement, string>();

const isPlayer = (element: Element): element is HTMLMediaElement => element instanceof HTMLMediaElement;

const playersIn = (root: Document | Element): readonly HTMLMediaElement[] =>
  [...deepElements(root)].filter(isPlayer);

const areaOf = (media: HTMLMediaElement): number => {
  const { width, height } = media.getBoundingClientRect();
  return media.checkVisibility(VISIBLE) ? width * height : 0;
};

const largest = (found: readonly HTMLMediaElement[]): HTMLMediaElement | undefined =>
  [...found].toSorted((first, other) => areaOf(other) - areaOf(first))[0];

const at = (id: number): HTMLMediaElement | undefined => {
  const element = identity.find(id);
  return element instanceof HTMLMediaElement ? element : undefined;
};

export const media: Media = {
  find(id) {
    let media: HTMLMediaElement | undefined;
    if (id === null) media = largest(playersIn(document));
    else {
      // If the element is a button, the player that it controls is searched for in the ancestors of the
      // button, the nearest first.
      for (let up = identity.find(id) ?? null; up && !media; up = registry.parentOf(up)) {
        media = up instanceof HTMLMediaElement ? up : largest(playersIn(up));
      }
    }
    return media && { id: identity.identify(media), area: areaOf(media) };
  },

  state(id) {
    const media = at(id);
    if (!media) return undefined;
    const { paused, ended, currentTime, duration, volume, muted, error, seeking, readyState } = media;
    return {
      paused,
      ended,
      time: currentTime,
      duration: Number.isFinite(duration) ? duration : -1,
      volume,
      muted,
      error: error ? error.message || `media error ${error.code}` : (refusals.get(media) ?? ""),
      busy: seeking || readyState < HTMLMediaElement.HAVE_CURRENT_DATA,
    };
  },

  set(id, what) {
    const media = at(id);
    if (!media) return;
    refusals.delete(media);
    if ("play" in what) {
      if (!what.play) media.pause();
      else media.play().catch((error: Error) => refusals.set(media, error.message));
    } else if ("time" in what) media.currentTime = what.time;
    else if ("volume" in what) media.volume = what.volume;
    else media.muted = what.muted;
  },
};

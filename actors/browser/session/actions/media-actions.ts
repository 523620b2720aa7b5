/**
 * Plays, pauses and seeks media and sets their volume. An action succeeds only when the state of the player
 * shows its effect.
 */
import { setTimeout as pause } from "node:timers/promises";
import { sessionLimits } from "../../../../machines/session/session-limits.ts";
import type { Media, MediaState } from "../../page-script/actions/media-players.ts";
import { ActionFailure } from "../action-error.ts";
import type { Frame } from "../tabs/tab-frames.ts";
import { targetOf } from "./clickable-point.ts";
import type { Data, PageInput } from "./pointer-and-key-input.ts";

type Setting = Parameters<Media["set"]>[1];

interface Player {
  readonly frame: Frame;
  readonly id: number;
  readonly state: MediaState;
}

export class MediaActions {
  readonly #input: PageInput;

  constructor(input: PageInput) {
    this.#input = input;
  }

  async play(index: number | undefined): Promise<Data> {
    const player = await this.#player(index);
    const from = player.state.time;
    const state = await this.#set(
      player,
      { play: true },
      ({ paused, ended, time }) => ended || (!paused && time !== from),
    );
    if (state.paused && !state.ended) throw this.#failed("does not play", state);
    return {
      playing: !state.ended,
      ...(state.time === from ? { waiting_for_data: true } : {}),
      ...playerResult(state),
    };
  }

  async pause(index: number | undefined): Promise<Data> {
    const player = await this.#player(index);
    const state = await this.#set(player, { play: false }, ({ paused }) => paused);
    if (!state.paused) throw this.#failed("plays on", state);
    return {
      playing: false,
      effect: player.state.paused ? "nothing_changed" : "state_changed",
      ...playerResult(state),
    };
  }

  async seek({
    index,
    seconds,
    by,
  }: {
    index?: number | undefined;
    seconds?: number | undefined;
    by?: number | undefined;
  }): Promise<Data> {
    const player = await this.#player(index);
    const { time, duration } = player.state;
    const wanted = seconds ?? time + (by ?? 0);
    const goal = Math.max(0, duration < 0 ? wanted : Math.min(wanted, duration));
    const near = (state: MediaState): boolean => Math.abs(state.time - goal) < 1.5;
    const state = await this.#set(player, { time: goal }, (now) => near(now) && !now.busy);
    if (!near(state)) throw this.#failed(`cannot be sought to ${goal} s`, state);
    return {
      sought: true,
      ...(goal === wanted ? {} : { wanted }),
      effect: "state_changed",
      ...playerResult(state),
    };
  }

  async volume({
    index,
    volume,
    by,
  }: {
    index?: number | undefined;
    volume?: number | undefined;
    by?: number | undefined;
  }): Promise<Data> {
    const player = await this.#player(index);
    const goal = Math.min(1, Math.max(0, volume ?? player.state.volume + (by ?? 0)));
    const near = (state: MediaState): boolean => Math.abs(state.volume - goal) < 0.01;
    const state = await this.#set(player, { volume: goal }, near);
    if (!near(state)) throw this.#failed("keeps its volume", state);
    return { effect: near(player.state) ? "nothing_changed" : "state_changed", ...playerResult(state) };
  }

  async mute(index: number | undefined, muted: boolean | undefined): Promise<Data> {
    const player = await this.#player(index);
    const goal = muted ?? !player.state.muted;
    const state = await this.#set(player, { muted: goal }, (now) => now.muted === goal);
    if (state.muted !== goal) throw this.#failed(goal ? "stays heard" : "stays muted", state);
    return {
      effect: player.state.muted === goal ? "nothing_changed" : "state_changed",
      ...playerResult(state),
    };
  }

  #failed(what: string, { error }: MediaState): ActionFailure {
    return new ActionFailure("not_applied", `The player ${what}${error === "" ? "." : `: ${error}`}`, {
      ...(error === "" ? {} : { reason: error }),
    });
  }

  async #set(player: Player, setting: Setting, reached: (state: MediaState) => boolean): Promise<MediaState> {
    const { tab } = this.#input;
    const { frame, id } = player;
    await this.#input.awaitPermit();
    // Browsers play media only after a user gesture. The caller's action counts as such a gesture.
    await tab.answer(tab.frames.giveUserGesture(frame));
    await tab.answer(tab.frames.call(frame, "media", "set", id, setting));
    const until = performance.now() + sessionLimits.mediaWithin;
    for (;;) {
      const state = await tab.answer(tab.frames.call(frame, "media", "state", id));
      if (!state) throw new ActionFailure("interrupted", "The player went away.");
      if (reached(state) || state.error !== "" || performance.now() >= until) return state;
      await pause(sessionLimits.actionableEvery);
    }
  }

  async #player(index: number | undefined): Promise<Player> {
    const { tab } = this.#input;
    const target = index === undefined ? undefined : await targetOf(tab, index);
    const frames = target ? [target.frame] : tab.frames.all();
    let best: { readonly frame: Frame; readonly id: number; readonly area: number } | undefined;
    for (const frame of frames) {
      const found = await tab.answer(tab.frames.call(frame, "media", "find", target?.id ?? null));
      if (found && (!best || found.area > best.area)) best = { frame, ...found };
    }
    const state = best && (await tab.answer(tab.frames.call(best.frame, "media", "state", best.id)));
    if (best && state) return { frame: best.frame, id: best.id, state };
    throw new ActionFailure("element_not_found", "There is no video or sound on the page.", { index });
  }
}

function playerResult({ time, duration, volume, muted, paused }: MediaState): Data {
  const rounded = (seconds: number): number => Math.round(seconds * 10) / 10;
  return {
    position: rounded(time),
    ...(duration < 0 ? {} : { duration: rounded(duration) }),
    volume: Math.round(volume * 100) / 100,
    muted,
    paused,
  };
}

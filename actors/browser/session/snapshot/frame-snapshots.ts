/**
 * Caches a snapshot of every frame of a tab. The page script reports changes of a frame's document, but not
 * of its styles. For styles, a snapshot stays valid while Chromium's counts of style recalculations and
 * layouts stay the same.
 */
import { ProtocolError, type Session } from "../../chromium/devtools-connection.ts";
import type { RawSnapshot } from "../../page-script/snapshot/raw-snapshot.ts";
import { DocumentGone, type Frame, Frames } from "../tabs/frames.ts";
import { applyDelta } from "./apply-delta.ts";

/** Levels of nested closed shadow roots that one snapshot opens. */
const CLOSED_LEVELS = 8;

interface Sight {
  readonly document: string;
  readonly look: RawSnapshot;
  /** The number by which the page script knows this snapshot as the base of a delta. */
  readonly number: number;
  /** Chromium's style and layout counts before the snapshot was taken; empty if unknown. */
  readonly drawn: string;
}

/** Style and layout counts by process; an empty string if unknown. */
type Drawn = ReadonlyMap<Session, string>;

export class FrameSnapshots {
  readonly #frames: Frames;
  #seen: ReadonlyMap<string, Sight> = new Map();

  constructor(frames: Frames) {
    this.#frames = frames;
  }

  /**
   * Snapshots by frame id; the same object as before where nothing has changed. Rejects with `DocumentGone`
   * if the page navigated.
   * @param shown a caller sees the snapshot, so an index refers to the element as it is now
   */
  async look(shown: boolean): Promise<ReadonlyMap<string, RawSnapshot>> {
    await this.#frames.name();
    const frames = this.#frames.all();
    // All frames first: each call also makes the browser compute pending styles, which the counts then
    // include. A request for the counts could otherwise run while the page is still computing.
    const still = await Promise.all(frames.map((frame) => this.#isStill(frame, shown)));
    const drawn = await this.#drawn(frames);
    const seen = new Map<string, Sight>();
    const drawnSince = ({ session }: Frame, before: Sight | undefined, counts: Drawn): boolean => {
      const now = counts.get(session) ?? "";
      return now === "" || now !== before?.drawn;
    };
    const look = async (
      frame: Frame,
      before: Sight | undefined,
      anew: boolean,
      counts: Drawn,
    ): Promise<void> => {
      try {
        const document = Frames.document(frame);
        const known = before?.document === document ? before : undefined;
        const found = await this.#lookIn(frame, known, { shown, drawn: anew });
        seen.set(frame.id, { document, ...found, drawn: counts.get(frame.session) ?? "" });
      } catch (error) {
        // A frame may be gone or navigating. The page itself has to be there.
        if (!(error instanceof DocumentGone) || frame.parent === undefined) throw error;
      }
    };
    const hasty: Frame[] = [];
    await Promise.all(
      frames.map(async (frame, at) => {
        const known = this.#seen.get(frame.id);
        const before = known?.document === Frames.document(frame) ? known : undefined;
        const anew = drawnSince(frame, before, drawn);
        if (before && still[at] && !anew) seen.set(frame.id, before);
        else {
          if (!anew) hasty.push(frame);
          await look(frame, before, anew, drawn);
        }
      }),
    );
    // A delta that relies on cached readings is only valid if nothing was rendered until then.
    const after = hasty.length === 0 ? drawn : await this.#drawn(hasty);
    await Promise.all(
      hasty.map(async (frame) => {
        const before = seen.get(frame.id);
        if (before && drawnSince(frame, before, after)) await look(frame, before, true, after);
      }),
    );
    this.#seen = seen;
    return new Map([...seen].map(([id, { look }]) => [id, look]));
  }

  async #isStill(frame: Frame, shown: boolean): Promise<boolean> {
    try {
      return await this.#frames.call(frame, "snapshots", "isCurrent", shown);
    } catch (error) {
      // The snapshot that follows reports the error.
      if (error instanceof DocumentGone) return false;
      throw error;
    }
  }

  async #drawn(frames: readonly Frame[]): Promise<Drawn> {
    const sessions = [...new Set(frames.map(({ session }) => session))];
    const counts = await Promise.all(
      sessions.map(async (session): Promise<readonly [Session, string]> => {
        try {
          const { metrics } = await session.send("Performance.getMetrics");
          const told = metrics.filter(({ name }) => name === "RecalcStyleCount" || name === "LayoutCount");
          return [session, told.map(({ name, value }) => `${name} ${value}`).join()];
        } catch (error) {
          // The process is gone with its frames.
          if (error instanceof ProtocolError) return [session, ""];
          throw error;
        }
      }),
    );
    return new Map(counts);
  }

  async #lookIn(
    frame: Frame,
    before: Sight | undefined,
    how: { readonly shown: boolean; readonly drawn: boolean },
  ): Promise<Pick<Sight, "look" | "number">> {
    let known: Pick<Sight, "look" | "number"> | undefined = before;
    for (let level = 0; ; level++) {
      const news = await this.#frames.call(frame, "snapshots", "take", {
        since: known?.number ?? 0,
        shown: how.shown,
        rendered: how.drawn || level > 0,
      });
      known = { look: applyDelta(news, known?.look), number: news.number };
      if (known.look.closedHosts === 0 || level === CLOSED_LEVELS) return known;
      if ((await this.#frames.openRoots(frame)) === 0) return known;
    }
  }
}

/**
 * What is seen in every frame of a tab; a frame in which nothing has changed since is not looked at again.
 *
 * The frame itself tells what changed in it but for what styles alone do (`injected/stillness.ts`); those the browser
 * counts: as long as it has recalculated no style and laid out nothing since before a look, the look still holds.
 * Neighbours: `frames.ts` reaches the frames, `looking.ts` puts them together.
 */
import { ProtocolError, type Session } from "../../chromium/devtools-connection.ts";
import type { RawSnapshot } from "../../page-script/snapshot/raw-snapshot.ts";
import { DocumentGone, type Frame, Frames } from "../tabs/frames.ts";
import { applyDelta } from "./apply-delta.ts";

/** Levels of closed roots in closed roots that one look opens. */
const CLOSED_LEVELS = 8;

interface Sight {
  readonly document: string;
  readonly look: RawSnapshot;
  /** By which the frame knows what it has told. */
  readonly number: number;
  /** What the browser had done when the frame was still, before it was looked at. */
  readonly drawn: string;
}

/** Of each process, how often it has done styles and layout; nothing where that is not told. */
type Drawn = ReadonlyMap<Session, string>;

export class FrameSnapshots {
  readonly #frames: Frames;
  #seen: ReadonlyMap<string, Sight> = new Map();

  constructor(frames: Frames) {
    this.#frames = frames;
  }

  /**
   * By frame; the same object as before where nothing changed. Rejects with `DocumentGone` when the page went.
   * @param shown somebody is told, and means by an index what it is now
   */
  async look(shown: boolean): Promise<ReadonlyMap<string, RawSnapshot>> {
    await this.#frames.name();
    const frames = this.#frames.all();
    // All of them first, and their answers: each has the styles done that the browser's counts are about, and a question
    // for the counts is answered in the midst of what the page is still doing.
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
        // A frame may go, or be about to show something else; the page itself has to be there.
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
    // What was told from readings of before is right only if nothing was drawn up to then.
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
      // Looking at it says what that means.
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
          // The process went with its frames.
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

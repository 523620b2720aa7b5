/**
 * Keeps the console's picture of a session current. The session's elements are read again when its page
 * changes. Screenshots are taken while no live picture arrives.
 */
import type { AnalysisData } from "../../../../machines/session/page/page-snapshot.ts";
import type { Screenshot } from "../../../../machines/session/session-protocol.ts";
import { ApiError, asApiError, callTool } from "../console-api-client.ts";
import type { SessionStore } from "./session-view-state.ts";

export interface PictureSource {
  /** Must be called when the page of the session has changed or may have changed. */
  readonly refresh: () => void;
  readonly end: () => void;
}

/** Minimum time in milliseconds between two pictures of the session. */
const PICTURE_EVERY = 700;

interface AnalysisAnswer {
  readonly success: boolean;
  readonly data?: AnalysisData;
  readonly error?: string;
  readonly code?: string;
}

/**
 * Reads the picture and the elements of a session into the store of its view. Only one read runs at a time.
 */
export function screenshotSource(room: string, store: SessionStore): PictureSource {
  let isBusy = false;
  let isWanted = false;
  let hasEnded = false;

  async function read(): Promise<void> {
    const { data, error, code } = await callTool<AnalysisAnswer>("analyze_page", {
      room_name: room,
      detail: "records",
    });
    const isLive = store.getSnapshot().context.live !== undefined;
    const picture = isLive
      ? undefined
      : await callTool<Screenshot>("screenshot", { room_name: room, format: "jpeg", quality: 80 });
    if (hasEnded) return;
    if (data) store.trigger.analysis({ analysis: data });
    else throw new ApiError(code ?? "analysis_failed", error ?? "The page could not be read.", 200);
    store.trigger.picture({ picture });
  }

  function refresh(): void {
    if (hasEnded) return;
    store.trigger.changed();
    if (isBusy) {
      isWanted = true;
      return;
    }
    isBusy = true;
    isWanted = false;
    read()
      .catch((thrown) => {
        if (!hasEnded) store.trigger.failed({ error: asApiError(thrown) });
      })
      .finally(() => {
        setTimeout(() => {
          isBusy = false;
          if (isWanted) refresh();
        }, PICTURE_EVERY);
      });
  }

  return {
    refresh,
    end: () => {
      hasEnded = true;
    },
  };
}

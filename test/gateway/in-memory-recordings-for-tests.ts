/** A recording service in memory that contains no recordings, for tests of the gateway. */
import type { Recordings } from "../../gateway/actor-system-interface.ts";
import { Refused } from "../../machines/errors.ts";

function none(id: string): never {
  throw new Refused("recording.not_found", `There is no recording ${id}.`, { status: 404 });
}

export class MemoryRecordings implements Recordings {
  readonly calls: unknown[] = [];

  async start(room: string, name: string): Promise<string> {
    this.calls.push({ room, name });
    return `rec-${room}`;
  }

  async stop(room: string): Promise<string> {
    return `rec-${room}`;
  }

  async list() {
    return { recordings: [] };
  }

  get = async (id: string): Promise<never> => none(id);
  delete = async (id: string): Promise<never> => none(id);

  async replay(replay: { readonly from: number }) {
    this.calls.push(replay);
    return { success: true, error: null, data: { steps: 0, next: replay.from, done: [] } };
  }
}

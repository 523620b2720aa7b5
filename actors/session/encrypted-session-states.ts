/** Saves and loads the encrypted states of sessions. */
import { Refused } from "../../machines/errors.ts";
import {
  fromOpenPart,
  type OpenPart,
  openPartOf,
  type SavedSession,
} from "../../machines/session/state/saved-session.ts";
import type { Store } from "../../store/index.ts";
import type { Vault } from "../secrets/encryption-vault.ts";

/** Identifies a session. Each new session with the same room name has another epoch. */
export interface SessionRef {
  readonly room: string;
  readonly epoch: number;
}

export class SessionStates {
  readonly #store: Store;
  readonly #vault: () => Promise<Vault>;

  constructor(store: Store, vault: () => Promise<Vault>) {
    this.#store = store;
    this.#vault = vault;
  }

  async write({ room, epoch }: SessionRef, saved: SavedSession): Promise<void> {
    const vault = await this.#vault();
    await this.#store.sessionStates.put({
      id: room,
      epoch,
      open: JSON.stringify(openPartOf(saved)),
      sealed: await vault.seal(JSON.stringify(saved), statePurpose({ room, epoch })),
      at: saved.saved_at,
    });
  }

  /**
   * Returns the saved state, or `undefined` when there is none. Without the right key, only the unencrypted
   * part is returned.
   */
  async read({ room, epoch }: SessionRef): Promise<SavedSession | undefined> {
    const row = await this.#store.sessionStates.get(room);
    if (row?.epoch !== epoch) return undefined;
    try {
      const vault = await this.#vault();
      // The method `write` encrypted the JSON of a `SavedSession`, so the cast is safe.
      return JSON.parse(await vault.open(row.sealed, statePurpose({ room, epoch }))) as SavedSession;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      // The method `write` stored this JSON unencrypted, so the cast is safe.
      return fromOpenPart(JSON.parse(row.open) as OpenPart, error.message);
    }
  }
}

function statePurpose({ room, epoch }: SessionRef): string {
  return `session/${room}/${epoch}`;
}

/**
 * Takes and stores pictures of the page states that an exploration finds, such as open dialogs. A picture
 * that cannot be stored is counted, and the exploration continues without it.
 */
import { explorationLimits } from "../../../machines/exploration/exploration-limits.ts";
import type { KnowledgeId } from "../../../machines/records/record-ids.ts";
import type { Store } from "../../../store/index.ts";
import type { ScreenPicture } from "../../browser/index.ts";

export class StatePictures {
  readonly #store: Pick<Store, "pictures">;
  readonly #knowledgeId: KnowledgeId;
  #taken = 0;
  #failed = 0;
  #writing: Promise<void> = Promise.resolve();

  constructor(store: Pick<Store, "pictures">, knowledgeId: KnowledgeId) {
    this.#store = store;
    this.#knowledgeId = knowledgeId;
  }

  get isFull(): boolean {
    return this.#taken >= explorationLimits.pressing.pictures;
  }

  /** Number of pictures of page states that could not be stored. */
  get failed(): number {
    return this.#failed;
  }

  /**
   * Stores a picture of a page state, and replaces the picture that an earlier exploration has stored. The
   * next press does not wait for the write.
   */
  put(stateId: string, picture: ScreenPicture): void {
    this.#taken += 1;
    const row = { ...picture, taken_at: Date.now() };
    const write = () => this.#store.pictures.put(this.#knowledgeId, stateId, row);
    this.#writing = this.#writing.then(write).catch(() => {
      this.#failed += 1;
    });
  }

  /** Waits until all pictures are stored or have failed. */
  stored(): Promise<void> {
    return this.#writing;
  }
}

/** The store of `store-process.ts`, as the other processes have it. */
import { openServedStore, type Store } from "../../../store/index.ts";

export async function openStoreAt(url: string): Promise<Store> {
  return await openServedStore({
    call: async (bytes) => {
      const answer = await fetch(url, { method: "POST", body: new Uint8Array(bytes) });
      return new Uint8Array(await answer.arrayBuffer());
    },
  });
}

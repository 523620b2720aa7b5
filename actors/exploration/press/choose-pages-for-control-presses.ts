/**
 * Decides on which pages an exploration presses elements. One page of each group of similar pages is
 * considered. Elements are pressed on it if links alone do not reach all of its content.
 */

import { urlKey } from "../../../machines/exploration/crawl/normalise-url.ts";
import type { ExplorationRequest } from "../../../machines/exploration/exploration-request.ts";
import type { PressDecision } from "../../../machines/exploration/press/press-phase-input-and-result.ts";
import {
  controlOffers,
  formButtons,
  pressReasons,
} from "../../../machines/exploration/press/whether-to-press-controls.ts";
import { groupScreens } from "../../../machines/knowledge/page-groups/group-pages-into-screens.ts";
import { isWritingAddress, isWritingAddressOfSession } from "../../../machines/risk/risk-classes.ts";
import type { EffectScope } from "../../runtime/index.ts";
import type { CairnServices } from "../../worker-services.ts";

export interface PageWithForm {
  readonly url: string;
  readonly buttons: readonly string[];
}

export interface PressTargets {
  /**
   * For each candidate page, whether its elements are pressed, and why. The start page comes first, and pages
   * with shorter addresses come before pages with longer addresses.
   */
  readonly decisions: readonly PressDecision[];
  /** The pages with buttons that probably open a form for something new, and the names of these buttons. */
  readonly withForms: readonly PageWithForm[];
  /**
   * The addresses of the pages whose controls are pressed. The start page is first. Pages with tabs or with
   * buttons of their own follow, because presses there often lead to new states.
   */
  readonly urls: readonly string[];
  /** Ids of the screens of this website that are on the map. */
  readonly known: readonly string[];
  /** The keys of the addresses of the screens in `known`. Two spellings of one address have the same key. */
  readonly keys: readonly string[];
}

export async function pressTargets(
  { knowledge_id, website_id, start_url, mode = "links", render, login }: ExplorationRequest,
  { services: { store } }: EffectScope<CairnServices>,
): Promise<PressTargets> {
  const structures = new Map(await store.screens.structures(knowledge_id));
  const screens = (await store.screens.outlines(knowledge_id)).filter(
    (screen) => screen.website_id === website_id,
  );
  const groups = groupScreens(
    screens.map(({ screen_id, url }) => ({
      screen_id,
      url,
      structure: structures.get(screen_id) ?? "",
      site_wide: false,
    })),
  );
  const isWriting = login === undefined ? isWritingAddress : isWritingAddressOfSession;
  const urls = groups.flatMap(({ instances }) => instances.find(({ url }) => !isWriting(url))?.url ?? []);
  urls.sort((a, b) => a.length - b.length || (a < b ? -1 : 1));
  // All states of a page, such as its open dialogs, have the address of the page, so several screens can have
  // the same address. Duplicate addresses are removed.
  const byKey = new Map([start_url, ...urls].map((url) => [urlKey(url), url]));
  const ordered = [...byKey.values()].filter((url) => !isWriting(url));
  const pages = new Map(
    (await store.pages.getMany(knowledge_id, ordered.map(urlKey))).map((page) => [page.id[1], page]),
  );
  const read = ordered.map((url) => pages.get(urlKey(url)));
  const reasons = pressReasons(read, { mode, render });
  const decisions = ordered.flatMap((url, at) => {
    const reason = reasons[at];
    return reason ? [{ url, ...reason }] : [];
  });
  const offers = controlOffers(read);
  const buttons = formButtons(read);
  const [start] = ordered.filter((_, at) => reasons[at]?.pressed);
  const pressed = (isMeant: (at: number) => boolean) =>
    ordered.filter((url, at) => reasons[at]?.pressed && isMeant(at) && url !== start);
  const hasForm = (at: number): boolean => (buttons[at] ?? []).length > 0;
  const offersMore = (at: number): boolean => offers[at] === true;
  return {
    decisions,
    withForms: ordered.flatMap((url, at) =>
      reasons[at]?.pressed && hasForm(at) ? [{ url, buttons: buttons[at] ?? [] }] : [],
    ),
    urls: [
      ...(start === undefined ? [] : [start]),
      ...pressed(hasForm),
      ...pressed((at) => !hasForm(at) && offersMore(at)),
      ...pressed((at) => !hasForm(at) && !offersMore(at)),
    ],
    known: screens.map(({ screen_id }) => screen_id),
    keys: screens.map(({ url }) => urlKey(url)),
  };
}

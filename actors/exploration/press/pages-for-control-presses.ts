/**
 * Decides on which pages an exploration presses elements. One page of each group of similar pages is
 * considered. Elements are pressed on it if links alone do not reach all of its content.
 */
import type { ExplorationRequest } from "../../../machines/exploration/exploration-request.ts";
import { urlKey } from "../../../machines/exploration/normalise-url.ts";
import type { PressDecision } from "../../../machines/exploration/press-phase-input-and-result.ts";
import {
  controlOffers,
  type Offer,
  pressReasons,
} from "../../../machines/exploration/whether-to-press-controls.ts";
import { groupScreens } from "../../../machines/knowledge/screen-groups.ts";
import { isWritingAddress } from "../../../machines/risk/risk-classes.ts";
import type { EffectScope } from "../../runtime/index.ts";
import type { CairnServices } from "../../worker-services.ts";

export interface PressTargets {
  /**
   * For each candidate page, whether its elements are pressed, and why. The start page comes first, and pages
   * with shorter addresses come before pages with longer addresses.
   */
  readonly decisions: readonly PressDecision[];
  /** The addresses of the pages whose buttons probably open a form for something new. */
  readonly withForms: readonly string[];
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
  { knowledge_id, website_id, start_url, mode = "links", render }: ExplorationRequest,
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
  const urls = groups.flatMap(({ instances: [first] }) => first?.url ?? []);
  urls.sort((a, b) => a.length - b.length || (a < b ? -1 : 1));
  // All states of a page have the address of the page, so several screens can have the same address. Duplicate
  // addresses are removed.
  const byKey = new Map([start_url, ...urls].map((url) => [urlKey(url), url]));
  const ordered = [...byKey.values()].filter((url) => !isWritingAddress(url));
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
  const [start] = ordered.filter((_, at) => reasons[at]?.pressed);
  const pressed = (offer: Offer) =>
    ordered.filter((url, at) => reasons[at]?.pressed && offers[at] === offer && url !== start);
  return {
    decisions,
    withForms: ordered.filter((_, at) => reasons[at]?.pressed && offers[at] === "form"),
    urls:
      start === undefined ? [] : [start, ...pressed("form"), ...pressed("controls"), ...pressed("nothing")],
    known: screens.map(({ screen_id }) => screen_id),
    keys: screens.map(({ url }) => urlKey(url)),
  };
}

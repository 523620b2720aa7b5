/**
 * Decides whether an obstacle to an action may disappear by itself. A page that is still working may enable,
 * move or uncover elements. If the page is idle, the obstacle stays.
 */

import { geometry } from "../actionability/element-geometry.ts";
import { identity } from "../actionability/same-element-check.ts";
import { registry } from "../page-script-document-state.ts";
import { shadowRootsBelow } from "../shadow-dom.ts";
import { widgetOf } from "../widgets/proxy-controls-of-hidden-fields.ts";

/** How long an obstacle has stayed as it is. */
export interface Unchanged {
  /**
   * Number of milliseconds since the page last changed or an element moved; 0 while a covering element may
   * disappear by itself, such as a notification. If a dialog covers the element of the action, only changes of the
   * dialog count.
   */
  readonly milliseconds: number;
  /**
   * Whether a dialog with controls covers the element of the action. Such a dialog stays until the user closes it.
   */
  readonly isDialog: boolean;
}

export interface PageIdle {
  /**
   * Returns how long the page, or the dialog over the element of the action, has been unchanged.
   *
   * @param covered whether another element covers the element of the action
   * @param restart whether to start counting the milliseconds from now
   */
  unchanged(id: number, covered: boolean, restart: boolean): Unchanged;
  /**
   * Returns for how many milliseconds the page has been unchanged and without a running animation.
   *
   * @param restart whether to start counting the milliseconds from now
   */
  quietFor(restart: boolean): number;
}

/**
 * Minimum share (0 to 1) of the window that an element must cover to count as a modal layer. Such a layer
 * waits for the user and does not disappear by itself.
 */
const MODAL_SHARE = 0.9;
/** Selector of elements that their page declares to be dialogs. */
const DIALOGS = "dialog[open],[role=dialog],[role=alertdialog],[aria-modal=true]";
/**
 * Selector of controls by which a user answers or closes a dialog. A layer without such a control, as a loading screen,
 * is no dialog.
 */
const CONTROLS = "button,[role=button],a[href],input:not([type=hidden])";
let last = 0;
/**
 * The dialog that covered the element of the action when `unchanged` was last called. `dialogChanged` is the
 * `performance.now()` value of the dialog's last change.
 */
let dialog: Element | undefined;
let dialogChanged = 0;
let observer: MutationObserver | undefined;
const OBSERVED = { subtree: true, childList: true, attributes: true, characterData: true };

const isModal = (element: Element): boolean => {
  const { width, height } = element.getBoundingClientRect();
  const all = width >= innerWidth * MODAL_SHARE && height >= innerHeight * MODAL_SHARE;
  if (all && /fixed|absolute/.test(getComputedStyle(element).position)) return true;
  return element.matches("dialog:modal");
};

/**
 * Returns the nearest element for which `fits` is true, among the covering element and its ancestors. Ancestors
 * that also contain the covered element are left out, because an element does not cover its own content.
 */
const layerOver = (
  target: Element,
  over: Element,
  fits: (layer: Element) => boolean,
): Element | undefined => {
  for (let up: Element | null = over; up && up !== document.body; up = geometry.renderedParent(up)) {
    if (geometry.within(target, up)) return undefined;
    if (fits(up)) return up;
  }
  return undefined;
};

const isDialog = (layer: Element): boolean =>
  (layer.matches(DIALOGS) || isModal(layer)) && layer.querySelector(CONTROLS) !== null;

const isRunning = ({ playState }: Animation): boolean => playState === "running";

/**
 * Returns the shadow roots in the dialog and around it. An observer of the document does not report changes
 * and animations inside of shadow roots.
 */
const shadowRootsOf = (shown: Element): readonly ShadowRoot[] => {
  const own = registry.rootOf(shown);
  const roots = [...(own ? [own, ...shadowRootsBelow(own)] : []), ...shadowRootsBelow(shown)];
  for (let up = shown.getRootNode(); up instanceof ShadowRoot; up = up.host.getRootNode()) roots.push(up);
  return roots;
};

/**
 * Whether an element is inside of another one, even if shadow roots are between them. The check is fast if
 * both are in the same tree.
 */
const isWithin = (inner: Element, outer: Element): boolean =>
  outer.contains(inner) || (inner.getRootNode() !== outer.getRootNode() && geometry.within(inner, outer));

/** Whether an animation moves the dialog or a part of it, such as the sign of progress in a loading screen. */
const isAnimated = (shown: Element, roots: readonly ShadowRoot[]): boolean =>
  [document, ...roots].some((root) =>
    root.getAnimations().some((animation) => {
      const target = animation.effect instanceof KeyframeEffect ? animation.effect.target : null;
      return isRunning(animation) && (target === null || isWithin(target, shown) || isWithin(shown, target));
    }),
  );

/** Notes a change of the page, and whether the change is in the dialog or may hide it. */
const noteChanges = (records: readonly MutationRecord[]): void => {
  last = performance.now();
  const shown = dialog;
  const isOfDialog = ({ target, type }: MutationRecord): boolean => {
    const place = target instanceof ShadowRoot ? target.host : target;
    const element = place instanceof Element ? place : registry.parentOf(place);
    if (!shown || !element) return false;
    return isWithin(element, shown) || (type === "attributes" && isWithin(shown, element));
  };
  if (records.some(isOfDialog)) dialogChanged = last;
};

const observe = (restart: boolean): MutationObserver => {
  if (!restart && observer) return observer;
  observer ??= new MutationObserver(noteChanges);
  // Shadow roots of an earlier dialog are no longer observed.
  observer.disconnect();
  observer.observe(document, OBSERVED);
  last = performance.now();
  dialog = undefined;
  return observer;
};

const isAtWork = (): boolean =>
  document.readyState !== "complete" || document.getAnimations().some(isRunning);

export const pageIdle: PageIdle = {
  quietFor(restart) {
    observe(restart);
    if (isAtWork()) last = performance.now();
    return performance.now() - last;
  },

  unchanged(id, covered, restart) {
    const changes = observe(restart);
    const element = identity.find(id);
    const over = covered && element ? geometry.coveredBy(element) : undefined;
    const isLoaded = document.readyState === "complete";
    const shown = isLoaded && element && over ? layerOver(element, over, isDialog) : undefined;
    if (shown) {
      const roots = shadowRootsOf(shown);
      for (const root of roots) changes.observe(root, OBSERVED);
      if (shown !== dialog || isAnimated(shown, roots)) dialogChanged = performance.now();
      dialog = shown;
      return { milliseconds: performance.now() - dialogChanged, isDialog: true };
    }
    const runs = document.getAnimations().some(isRunning);
    // The covering element may belong to the component of the covered field, such as a text that the component
    // draws over the field. Such an element does not disappear by itself.
    const stays =
      over && element && (layerOver(element, over, isModal) || geometry.within(over, widgetOf(element)));
    if (!element || runs || !isLoaded || (over && !stays)) last = performance.now();
    return { milliseconds: performance.now() - last, isDialog: false };
  },
};

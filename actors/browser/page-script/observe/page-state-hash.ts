/**
 * Computes a text that represents everything on a page that an action can change. It is compared before and
 * after an action, to detect repeated actions without an effect. It is no snapshot, because a snapshot would
 * update the fingerprints of elements.
 */

import { registry } from "../page-script-document-state.ts";

export interface StateHash {
  /**
   * Returns a text that stays the same while the page's state is the same: elements, texts, fields, focus,
   * scroll positions, media and canvases.
   */
  compute(): string;
}

/** Maximum number of canvases that are compared, because reading a canvas is slow. */
const MAX_CANVASES = 4;

const mix = (sum: number, text: string): number => {
  let mixed = sum;
  for (let at = 0; at < text.length; at++) mixed = (Math.imul(mixed, 31) + text.charCodeAt(at)) | 0;
  return mixed;
};

const digest = (text: string): number => mix(0, text);

const focusState = (): readonly unknown[] => {
  let active = document.activeElement;
  for (let inner = active && registry.rootOf(active)?.activeElement; inner; ) {
    active = inner;
    inner = registry.rootOf(active)?.activeElement;
  }
  const chosen = getSelection();
  const text = digest(`${chosen?.toString() ?? ""}/${chosen?.anchorOffset}/${chosen?.focusOffset}`);
  if (active instanceof HTMLInputElement || active instanceof HTMLTextAreaElement)
    return [registry.idOf(active), active.selectionStart, active.selectionEnd, digest(active.value), text];
  if (!(active instanceof HTMLElement)) return [text];
  const written = active.isContentEditable ? digest(active.textContent ?? "") : 0;
  return [registry.idOf(active), written, text];
};

const canvasHash = (canvas: HTMLCanvasElement): number => {
  // The error is ignored, because a canvas with images of other origins cannot be read.
  try {
    return digest(canvas.toDataURL());
  } catch {
    return 0;
  }
};

const treeHash = (root: Document | ShadowRoot): number => {
  let sum = 7;
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (node instanceof Text) {
      sum = mix(sum, node.data);
      continue;
    }
    if (!(node instanceof Element)) continue;
    sum = mix(sum, node.localName);
    for (const { name, value } of node.attributes) sum = mix(mix(sum, name), value);
    if (node instanceof HTMLInputElement) sum = mix(sum, `${node.checked}${node.value}`);
    else if (node instanceof HTMLTextAreaElement) sum = mix(sum, node.value);
    else if (node instanceof HTMLOptionElement) sum = mix(sum, String(node.selected));
    if (node.scrollTop !== 0 || node.scrollLeft !== 0) sum = mix(sum, `${node.scrollTop}/${node.scrollLeft}`);
    const inner = registry.rootOf(node);
    if (inner) sum = mix(sum, String(treeHash(inner)));
  }
  return sum;
};

export const stateHash: StateHash = {
  compute() {
    const media = [...document.querySelectorAll<HTMLMediaElement>("video, audio")].map(
      ({ paused, currentTime, volume, muted }) => [paused, currentTime, volume, muted],
    );
    const canvases = [...document.querySelectorAll("canvas")].slice(0, MAX_CANVASES).map(canvasHash);
    return JSON.stringify([treeHash(document), scrollX, scrollY, focusState(), media, canvases]);
  },
};

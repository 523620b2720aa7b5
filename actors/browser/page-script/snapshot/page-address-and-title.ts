/** Reads the address, title and scroll position of a page, which are part of every snapshot. */
import { withoutPasswords } from "../../../../machines/session/state/passwords-in-addresses.ts";
import type { PageHead } from "./raw-frame-snapshot.ts";

export const pageHead: () => PageHead = () => {
  const { scrollWidth = 0, scrollHeight = 0 } = document.scrollingElement ?? {};
  return {
    url: withoutPasswords(location.href),
    title: document.title,
    ready_state: document.readyState,
    scroll: {
      x: Math.round(scrollX),
      y: Math.round(scrollY),
      width: scrollWidth,
      height: scrollHeight,
      viewport_width: innerWidth,
      viewport_height: innerHeight,
    },
  };
};

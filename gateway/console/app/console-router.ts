/**
 * Routing between the console's views. A click on a plain link changes the view without loading a new
 * document.
 */
import { consoleStore } from "./console-app-state.ts";

/** Opens a view of the console by its address. */
export function open(address: string, { replace = false } = {}): void {
  if (replace) history.replaceState(null, "", address);
  else history.pushState(null, "", address);
  consoleStore.trigger.moved({ address });
}

export interface Address {
  readonly path: string;
  readonly query: URLSearchParams;
}

export function parseAddress(address: string): Address {
  const { pathname, searchParams } = new URL(address, location.origin);
  return { path: pathname, query: searchParams };
}

/**
 * Returns the parameters of a path that matches a pattern such as `/actors/:kind/:id`; `undefined` when it does not
 * match.
 */
export function matchPath(pattern: string, path: string): Readonly<Record<string, string>> | undefined {
  const wanted = pattern.split("/");
  const given = path.split("/");
  if (wanted.length !== given.length) return undefined;
  const parameters: Record<string, string> = {};
  for (const [at, part] of wanted.entries()) {
    const value = given[at] ?? "";
    if (part.startsWith(":")) {
      if (value === "") return undefined;
      parameters[part.slice(1)] = decodeURIComponent(value);
    } else if (part !== value) return undefined;
  }
  return parameters;
}

/** Returns the clicked link if it leads to a view of the console; other links are left to the browser. */
function linkOf(event: MouseEvent): HTMLAnchorElement | undefined {
  if (event.defaultPrevented || event.button !== 0) return undefined;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return undefined;
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  if (link?.target !== "" || link.hasAttribute("download") || link.origin !== location.origin)
    return undefined;
  return link;
}

/**
 * Makes clicks on links and the browser's back button change the view without a reload of the console.
 *
 * @param isView returns true if the path belongs to a view of the console
 */
export function startRouter(isView: (path: string) => boolean): void {
  document.addEventListener("click", (event) => {
    const link = linkOf(event);
    if (!link || !isView(link.pathname) || (link.hash !== "" && link.pathname === location.pathname)) return;
    event.preventDefault();
    open(link.pathname + link.search);
  });
  addEventListener("popstate", () => {
    consoleStore.trigger.moved({ address: location.pathname + location.search });
  });
}

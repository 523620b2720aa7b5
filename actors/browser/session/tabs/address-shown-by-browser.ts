/**
 * Returns the address that a browser shows. If the page could not be loaded, this is the requested address,
 * and not the address of the browser's error page. Passwords in the address are masked.
 */
import { withoutPasswords } from "../../../../machines/session/state/passwords-in-addresses.ts";

export function displayedAddressOf({
  url,
  urlFragment = "",
  unreachableUrl,
}: {
  readonly url: string;
  readonly urlFragment?: string | undefined;
  readonly unreachableUrl?: string | undefined;
}): string {
  return withoutPasswords(unreachableUrl ?? url + urlFragment);
}

/**
 * What a person reads in the address bar: of a page that could not be had its own, not that of the error shown for it.
 *
 * Neighbour: `frames.ts` hears of frames.
 */
export function displayedAddressOf({
  url,
  urlFragment = "",
  unreachableUrl,
}: {
  readonly url: string;
  readonly urlFragment?: string | undefined;
  readonly unreachableUrl?: string | undefined;
}): string {
  return unreachableUrl ?? url + urlFragment;
}

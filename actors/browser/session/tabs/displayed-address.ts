/**
 * Returns the address that a browser shows. If the page could not be loaded, this is the requested address,
 * and not the address of the browser's error page.
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

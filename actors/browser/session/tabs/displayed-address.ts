/**
 * Returns the address that a browser displays. For a page that could not be loaded, this is the requested
 * address, not the address of the error page.
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

/** Attributes in which icon libraries store the name of an icon. */
export const ICON_NAME_ATTRIBUTES: readonly string[] = [
  "data-icon",
  "data-lucide",
  "data-feather",
  "icon",
  "icon-name",
];

/**
 * How pages show that they are loading, visibly or for assistive technology. Renders and sessions use the
 * same list.
 */

export const loadingMarks = {
  /** Selector of elements that show that content is still loading. */
  busy: "[aria-busy=true], [role=progressbar]:not([aria-valuenow]), progress:not([value])",
  /**
   * Selector of elements that show that content is still loading if their label or alternative text is a
   * loading text. Some pages show only a picture while they load: Unleash has an alert with the label
   * "Loading", and the icons of Ant Design are images with the label "loading".
   */
  labelled: "[role=alert][aria-label], [role=status][aria-label], [role=img][aria-label], img[alt]",
  /**
   * Source of a regular expression for texts such as "Loading…", in the languages of the most visited sites.
   * It must match the complete text of an element.
   */
  text: String.raw`^(?:(?:loading|connecting|initiali[sz]ing|starting)\b.{0,30}(?:\.{3}|…)|(?:loading|please wait|(?:wird |daten werden )?(?:laden|geladen)|chargement|cargando|carregando|a carregar|caricamento|ładowanie|yükleniyor|загрузка|加载中|載入中|読み込み中|로딩 ?중?)(?: (?:data|content|page|results))?\s*(?:\.{1,3}|…)?)$`,
  /** Maximum number of characters of a loading text, such as "Loading…". A longer text is content. */
  textLength: 80,
} as const;
export type LoadingMarks = Readonly<Record<"busy" | "labelled" | "text", string>> & {
  readonly textLength: number;
};

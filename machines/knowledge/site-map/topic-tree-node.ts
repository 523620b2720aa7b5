/** The type of a topic: a section of a site, which is a node in the tree of the site's screens. */
import type { AtlasScreen } from "../in-memory-map.ts";

/**
 * A section of a site: a subject of its pages, a folder, or the pages of one server script (`view.php`) that
 * differ only in query parameters.
 */
export interface Topic {
  readonly name: string;
  /**
   * The unique address of the section. For a section without a page, it consists of the address of the parent
   * section and the section's name.
   */
  readonly path: string;
  /** Number of screens in this section and its subsections. */
  readonly pages: number;
  /** The screen at the section's own address, such as `/guides` for the section `guides`. */
  readonly index: AtlasScreen | undefined;
  /** Pages in this section itself. Pages of its subsections and the section's own page are not included. */
  readonly screens: readonly AtlasScreen[];
  readonly children: readonly Topic[];
}

/** The public interface of pages: reads a page over HTTP where that suffices, in a browser where it must. */
export {
  type CrawledPage,
  type CrawlOutcome,
  PageReader,
  type PageReaderOptions,
  type Unread,
} from "./page-reader.ts";

/**
 * The public interface of the folder `pages`: reads a page over HTTP where that is sufficient, and otherwise
 * in a browser.
 */

export { pageRecord, relativesOf } from "./build-page-record.ts";
export {
  type CrawledPage,
  type CrawlOutcome,
  PageReader,
  type PageReaderOptions,
  type Unread,
} from "./page-reader.ts";

/**
 * Queries for a search in a Python manual, each with the page that a person would expect as the first result.
 * The queries were chosen before anyone had seen how Cairn ranks pages.
 */
export const searches: readonly { readonly query: string; readonly page: string }[] = [
  { query: "read and write csv files", page: "library/csv.html" },
  { query: "parse command line arguments", page: "library/argparse.html" },
  { query: "sorting how to", page: "howto/sorting.html" },
  { query: "creation of virtual environments", page: "library/venv.html" },
  { query: "asyncio event loop", page: "library/asyncio-eventloop.html" },
  { query: "logging cookbook", page: "howto/logging-cookbook.html" },
  { query: "sqlite database", page: "library/sqlite3.html" },
  { query: "what's new in python 3.8", page: "whatsnew/3.8.html" },
  { query: "generate temporary files and directories", page: "library/tempfile.html" },
  { query: "json encoder and decoder", page: "library/json.html" },
];

/** A site for the tests of one file. */
import { afterAll } from "bun:test";
import { type ScriptedSite, serveSite } from "../sites/test-site-with-given-routes.ts";

/** Serves a site like `serveSite`, and stops it after the tests of the calling file. */
export function siteOfTests(...options: Parameters<typeof serveSite>): ScriptedSite {
  const site = serveSite(...options);
  afterAll(() => site.stop());
  return site;
}

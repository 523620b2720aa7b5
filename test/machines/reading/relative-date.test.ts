import { describe, expect, test } from "bun:test";
import { readRelativeDate } from "../../../machines/reading/relative-date.ts";

/** A Tuesday. */
const NOW = Date.UTC(2031, 4, 20, 12);

describe("a date next to a post", () => {
  test.each([
    ["3 days ago", "2031-05-17"],
    ["an hour ago", "2031-05-20"],
    ["2h", "2031-05-20"],
    ["5d", "2031-05-15"],
    ["vor 2 Wochen", "2031-05-06"],
    ["hace 3 días", "2031-05-17"],
    ["il y a 2 mois", "2031-03-21"],
    ["Yesterday at 10:15", "2031-05-19"],
    ["gestern", "2031-05-19"],
    ["12 May", "2031-05-12"],
    ["12 Nov", "2030-11-12"],
    ["Nov 12, 2029", "2029-11-12"],
    ["12. März 2031, 10:15 Uhr", "2031-03-12"],
    ["3 février 2031", "2031-02-03"],
    ["Posted on 1st May 2031", "2031-05-01"],
    ["2031-05-02 11:00", "2031-05-02"],
    ["17.05.2031", "2031-05-17"],
    ["25/12/2030", "2030-12-25"],
  ])("%p is %p", (written, day) => {
    expect(readRelativeDate(written, NOW)).toBe(day);
  });

  test.each([
    ["03/04/2031"],
    ["12 replies"],
    ["May be"],
    ["31 Feb"],
    ["5"],
    ["a day in the life of 12 May flowers"],
    ["2035-01-01"],
    [""],
  ])("%p is no date", (written) => {
    expect(readRelativeDate(written, NOW)).toBeUndefined();
  });
});

import { describe, expect, test } from "bun:test";
import { dayOrderOf, findDate } from "../../../machines/reading/date-in-text.ts";

/** The page of each test is read at this time, which is a Tuesday. */
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
    ["Par: Cora le 10 octobre 2030 11:00", "2030-10-10"],
    ["ada wrote on Nov. 12, 2030, 11 a.m.", "2030-11-12"],
    ["10 de octubre de 2030 a las 08:00", "2030-10-10"],
    ["12.11.30, 10:15", "2030-11-12"],
    ["ada @ 2030-11-12 10:15 UTC", "2030-11-12"],
    ["2030年11月12日 10:15", "2030-11-12"],
    ["3天前", "2031-05-17"],
    ["há 2 semanas", "2031-05-06"],
    ["03/04/2031", "2031-04-03"],
  ])("in the form %p is read as %p", (written, day) => {
    expect(findDate(written, NOW)?.day).toBe(day);
  });

  test.each([
    ["12 replies"],
    ["May be"],
    ["31 Feb"],
    ["5"],
    ["version 1.2.3 of 4"],
    ["192.168.10.20"],
    ["2035-01-01"],
    [""],
  ])("is not found in %p", (written) => {
    expect(findDate(written, NOW)).toBeUndefined();
  });
});

test("the order of day and month comes from other dates on the page, otherwise from the page's language", () => {
  expect(dayOrderOf(["03/04/2031", "04/25/2031"], "de")).toBe("month-first");
  expect(dayOrderOf(["03/04/2031", "25/04/2031"], "en-US")).toBe("day-first");
  expect(dayOrderOf(["03/04/2031"], "en-US")).toBe("month-first");
  expect(dayOrderOf(["03/04/2031"], "fr")).toBe("day-first");
  expect(findDate("03/04/2031", NOW, "month-first")?.day).toBe("2031-03-04");
});

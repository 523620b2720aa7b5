/**
 * Generates pages of prose for which the right answers are known: news with dates and authors, and wikis or
 * manuals with subjects.
 */
import { type Choose, chooser, DAY, HOUR, type Question } from "./navigation-bench-question-types.ts";

export interface Page {
  readonly id: string;
  readonly title: string;
  readonly section: string;
  readonly author: string;
  /** Date of the post or article in ISO format, in UTC. */
  readonly date: string;
  readonly topic: string | null;
  readonly paragraphs: readonly string[];
  /** Whether only subscribers see more than the first paragraph. */
  readonly paywalled: boolean;
  /** Comments below the article. Only some software supports comments. */
  readonly comments: readonly { readonly author: string; readonly date: string; readonly text: string }[];
}

export interface PapersWorld {
  readonly kind: "papers";
  readonly sections: readonly string[];
  readonly pages: readonly Page[];
  readonly questions: readonly Question[];
}

const NEWS_TITLES = [
  "{T} opens a second plant near {p}",
  "Workers at {T} vote on new hours",
  "{T} names a new head of finance",
  "Court rules against {T} in patent case",
  "What the {T} figures say about {p}",
  "{T} stops sales of its smallest model",
  "Investors leave {T} after weak spring",
  "Mayor of {p} praises {T}",
];
const OTHER_TITLES = [
  "Bridge in {p} closed for repairs",
  "Museum shows letters from two centuries",
  "Heavy rain floods cellars in {p}",
  "School in {p} gets a new roof",
  "Choir looks for tenors",
  "Wolves seen near {p}",
  "Football: {p} wins in the last minute",
  "New timetable from Monday",
  "Bakery closes after ninety years",
  "Cyclists want wider lanes in {p}",
  "Harvest of cherries is small this year",
  "Library stays open on Sundays",
  "Fire in a warehouse in {p}",
  "Volunteers clean the river bank",
];
const TOPICAL = [
  "{T} said on Tuesday that the plan would cost about {n} million and take {n} months.",
  "A spokeswoman of {T} declined to comment on the figures from {p}.",
  "According to two people who know the matter, {T} had looked at {n} sites before.",
  "For {T} it is the third change within {n} months, and the market took notice.",
  "Suppliers of {T} in {p} expect orders to fall by {n} percent.",
];
const GENERAL = [
  "The council of {p} will discuss the matter in its next meeting, a member said.",
  "Residents had complained for {n} weeks before anything was done about it.",
  "The costs are put at {n} thousand, of which the region pays a half.",
  "It was the first time in {n} years that so many people came to see it.",
  "The work begins in spring and should be finished before the summer holidays.",
  "An expert from the university in {p} called the result surprising, but not impossible.",
  "Whether that is enough remains open, as the numbers for the past year are not yet known.",
  "Neighbouring towns such as {p} have made good experience with a similar approach.",
  "The police asked witnesses to come forward and published a telephone number.",
  "There had been earlier attempts, none of which lasted longer than {n} months.",
  "Critics point out that the report from {p} had been available since January.",
];
const PLACES = ["Ashford", "Millbrook", "Port Ellis", "Harrowgate", "Dunmore", "Silverton", "Wexcombe"];
const COMMENTS = [
  "I live in {p} and nobody asked us about it.",
  "Finally somebody writes about this.",
  "The number in the third paragraph can't be right, it was {n} last year.",
  "We will see in {n} months who was right.",
];

export interface NewsPlan {
  readonly seed: number;
  readonly topics: readonly string[];
  readonly authors: readonly string[];
  readonly others: number;
  readonly paywalls: boolean;
  readonly comments: boolean;
  readonly now: number;
}

export function newsWorld(plan: NewsPlan): PapersWorld {
  const choose = chooser(plan.seed);
  const sections = ["Business", "Local", "Culture"];
  const pages: Page[] = [];
  const used = new Set<string>();
  const add = (
    template: string,
    topic: string | null,
    section: string,
    daysAgo: number,
    paywalled: boolean,
  ) => {
    let title = fill(choose, template, topic);
    for (let part = 2; used.has(title); part++) title = `${fill(choose, template, topic)}, part ${part}`;
    used.add(title);
    const time = Math.floor((plan.now - daysAgo * DAY) / DAY) * DAY + choose.number(9, 15) * HOUR;
    const comments = plan.comments
      ? Array.from({ length: choose.number(0, 4) }, (_, index) => ({
          author: choose.of(plan.authors),
          date: new Date(time + (index + 1) * HOUR).toISOString(),
          text: fill(choose, choose.of(COMMENTS), topic),
        }))
      : [];
    pages.push({
      id: `n${pages.length}`,
      title,
      section,
      author: choose.of(plan.authors),
      date: new Date(time).toISOString(),
      topic,
      paragraphs: prose(choose, topic, choose.number(4, 8)),
      paywalled,
      comments,
    });
  };
  for (const topic of plan.topics) {
    NEWS_TITLES.forEach((template, index) => {
      const age = index % 2 === 0 ? choose.number(1, 5) : choose.number(20, 300);
      add(template, topic, "Business", age, plan.paywalls && index === 4);
    });
  }
  for (let index = 0; index < plan.others; index++) {
    const section = sections[index % sections.length] ?? "Local";
    add(OTHER_TITLES[index % OTHER_TITLES.length] ?? "", null, section, choose.number(1, 200), false);
  }
  pages.sort((a, b) => b.date.localeCompare(a.date));
  const about = (topic: string | undefined, days?: number) =>
    pages
      .filter((page) => page.topic === topic && !page.paywalled)
      .filter((page) => days === undefined || plan.now - Date.parse(page.date) <= days * DAY)
      .map(({ id }) => id);
  const [first, second] = plan.topics;
  const single = pages.find(({ topic }) => topic === null);
  return {
    kind: "papers",
    sections,
    pages,
    questions: [
      {
        id: "week",
        prompt: `Summarize ${first} news from last week`,
        seed: "index",
        expected: about(first, 7),
        request: { max_articles: 20 },
      },
      {
        id: "all",
        prompt: `What has been reported about ${second}?`,
        seed: "section:Business",
        expected: about(second),
        request: { max_articles: 20 },
      },
      {
        id: "single",
        prompt: "Summarize this article",
        seed: `page:${single?.id}`,
        expected: single ? [single.id] : [],
        request: {},
      },
      { id: "nothing", prompt: "News about Quexterine", seed: "index", expected: [], request: {} },
    ],
  };
}

export interface SubjectsPlan {
  readonly seed: number;
  /**
   * The subjects of the pages. Each subject contains the title of its page, and the sentences that occur only
   * on this page.
   */
  readonly subjects: readonly Subject[];
  readonly questions: readonly (readonly [prompt: string, subject: string])[];
  readonly now: number;
}

export interface Subject {
  readonly title: string;
  readonly section: string;
  readonly sentences: readonly string[];
}

export function subjectsWorld(plan: SubjectsPlan): PapersWorld {
  const choose = chooser(plan.seed);
  const pages = plan.subjects.map(({ title, section, sentences }, index): Page => {
    const own = [...sentences];
    const paragraphs: string[] = [];
    while (own.length > 0) {
      paragraphs.push([...own.splice(0, 2), fill(choose, choose.of(MANUAL), title.toLowerCase())].join(" "));
    }
    return {
      id: `n${index}`,
      title,
      section,
      author: "",
      date: new Date(plan.now - choose.number(10, 300) * DAY).toISOString(),
      topic: title,
      paragraphs,
      paywalled: false,
      comments: [],
    };
  });
  const idOf = (title: string) => pages.find((page) => page.title === title)?.id ?? "";
  return {
    kind: "papers",
    sections: [...new Set(plan.subjects.map(({ section }) => section))],
    pages,
    questions: plan.questions.map(([prompt, subject], index) => ({
      id: `q${index}`,
      prompt,
      seed: "index",
      expected: [idOf(subject)],
      request: { max_articles: 5 },
    })),
  };
}

const MANUAL = [
  "The details differ a little between the editions, as the table in the appendix shows.",
  "Older descriptions give other values, which were measured under different conditions.",
  "Most readers can skip this part at first and come back to it later.",
  "A longer account is found in the reports of the years that followed.",
  "This has been the case since the second edition, and no change is planned.",
];

function prose(choose: Choose, topic: string | null, count: number): string[] {
  return Array.from({ length: count }, (_, index) => {
    const sentences = Array.from({ length: choose.number(2, 4) }, () =>
      fill(choose, choose.of(GENERAL), topic),
    );
    if (topic !== null && (index === 0 || choose.number(0, 1) === 0)) {
      sentences.unshift(fill(choose, choose.of(TOPICAL), topic));
    }
    return sentences.join(" ");
  });
}

function fill(choose: Choose, sentence: string, topic: string | null): string {
  return sentence
    .replaceAll("{T}", topic ?? "")
    .replace(/\{n\}/g, () => String(choose.number(2, 90)))
    .replace(/\{p\}/g, () => choose.of(PLACES));
}

/** Tests which query parameters only choose the order, the length or a filter of a list. */
import { describe, expect, test } from "bun:test";
import { LIST_VIEWS, templateOf } from "../../../../machines/exploration/crawl/crawl-url-template.ts";
import { TrapWatch } from "../../../../machines/exploration/crawl/crawler-trap-detection.ts";
import { listViewOf } from "../../../../machines/exploration/crawl/order-and-filter-parameters.ts";
import { UrlForms } from "../../../../machines/exploration/crawl/url-counts-by-form.ts";
import { isSameList } from "../../../../machines/knowledge/addresses/page-address-parts.ts";

const parametersOf = (query: string) =>
  query.split("&").map((one) => {
    const [name = "", value = ""] = one.split("=");
    return { name, value };
  });

// The example parameters are from Flask-AppBuilder, Django's administration, Redmine, DataTables, Rails, Spring,
// jqGrid, KnpPaginator, Airflow, pretix and Yii.
test.each([
  "_oc_UserView=first_name&_od_UserView=asc",
  "psize_UserView=25",
  "_flt_3_dag_id=bread&_oc_RunView=state&_od_RunView=asc",
  "o=1.-2",
  "sort=priority%3Adesc",
  "per_page=50",
  "order%5B0%5D%5Bcolumn%5D=2&order%5B0%5D%5Bdir%5D=asc",
  "sort_by=name&sort_direction=desc",
  "sort=name,desc",
  "sidx=name&sord=asc",
  "sort=name&direction=asc",
  "sorting_key=dag_id&sorting_direction=asc",
  "orderby=date&order=desc",
  "page_size=25&page=1",
  "ordering=-code&page_size=50&page=1",
  "page=1&per-page=20",
  "limit=50&offset=0",
])("an address with the parameters %s shows a list in another order or length", (query) => {
  expect(listViewOf(parametersOf(query))).toBe("order");
});

test.each([
  "_flt_3_state=failed&_flt_3_dag_id=bread",
  "filter%5Bstate%5D=open",
  "is_staff__exact=1",
  "q[name_eq]=a",
])("an address with the parameters %s shows a list with a filter", (query) => {
  expect(listViewOf(parametersOf(query))).toBe("filter");
});

test.each([
  "order=1042",
  "order=WB-17",
  "id=3&sort=name",
  "page=2&per_page=20",
  "page=1",
  "page=1&sort=name",
  "page=1&per_page=20&status=paused",
  "page_UserView=1&psize_UserView=25",
  "limit=10&offset=1",
  "page_UserView=2&_oc_UserView=name&_od_UserView=asc",
  "limit=10&offset=20",
  "o=users",
  "q=",
  "status=paused",
  "color=red&dir=up",
  "size=42",
])("an address with the parameters %s does not count as another order of a list", (query) => {
  expect(listViewOf(parametersOf(query))).toBeUndefined();
});

describe("a crawl", () => {
  const at = (query: string) => `https://a.example/users/list/?${query}`;
  const columns = "first_name last_name username email active roles".split(" ");
  const orders = columns.map((column) => at(`_oc_UserView=${column}&_od_UserView=asc`));

  test("queues two sort orders of a list, and no more even if their pages link to further orders", () => {
    const watch = new TrapWatch("job", []);
    const FRESH = { template: undefined, is: "fresh" } as const;
    const admitted = orders.filter((url) => {
      const template = templateOf(url);
      return template !== undefined && watch.admits(template, FRESH);
    });
    expect(admitted).toHaveLength(2);
    for (const url of admitted) {
      const template = templateOf(url);
      if (!template) throw new Error("The address has no template.");
      watch.learn({ template, url, lines: new Map([[1, 5]]), queued: true, newWithin: 0, newBeyond: 9 });
      watch.left(template, 3);
    }
    expect(watch.openings()).toEqual([]);
  });

  test("counts all orders and lengths of one list as one template", () => {
    for (const url of [...orders, at("psize_UserView=25"), at("psize_UserView=50")])
      expect(templateOf(url)?.variant).toBe(LIST_VIEWS.order);
  });

  test("postpones any number of orders of lists, and only a part of other addresses", () => {
    const forms = new UrlForms(8);
    forms.recordYieldedUrls(orders);
    expect(forms.isRare("https://a.example/users/add")).toBe(true);
    forms.recordYieldedUrls(["https://a.example/help/a", "https://a.example/help/b"]);
    expect(forms.isRare("https://a.example/users/add")).toBe(false);
  });

  test("postpones orders and filters of a list in favour of other addresses", () => {
    const forms = new UrlForms(100);
    expect(forms.isRare(at("_flt_0_name=a"))).toBe(false);
    expect(forms.mayYield(at("psize_UserView=25"))).toBe(true);
    expect(forms.isRare("https://a.example/users/add")).toBe(true);
  });
});

test("a list is the same one in each order, length and page", () => {
  const list = "https://a.example/users/list/";
  for (const query of [
    "_oc_UserView=name&_od_UserView=asc",
    "psize_UserView=25",
    "page_UserView=2",
    "o=1.-2",
  ])
    expect([query, isSameList(list, `${list}?${query}`)]).toEqual([query, true]);
  expect(isSameList(list, `${list}?page_id=26`)).toBe(false);
});

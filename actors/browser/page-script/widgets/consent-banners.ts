/**
 * Finds cookie consent banners and what each of their buttons does. A banner mentions cookies or consent,
 * covers the page or has a typical name, and has a button that accepts or rejects. When a banner has a frame
 * of its own, it is the whole document of the frame.
 */

import { registry } from "../page-script-document-state.ts";
import { comparable, deepElements, isSeen, shorten } from "../shadow-dom.ts";
import { identity } from "../world-bundle-modules-for-actions-bundle.ts";

export type ConsentChoice = "accept" | "reject" | "necessary" | "settings";

export interface ConsentButton {
  readonly id: number;
  readonly label: string;
  readonly choice: ConsentChoice;
}

export interface ConsentBanner {
  readonly id: number;
  readonly text: string;
  readonly buttons: readonly ConsentButton[];
}

export interface ConsentBanners {
  /**
   * Returns the consent banner of this frame, if there is one.
   *
   * @param own true for a child frame, whose whole document may be the banner
   */
  find(own: boolean): ConsentBanner | undefined;
  isVisible(id: number): boolean;
}

/** Matches words in the text of a consent banner, in the languages that Cairn knows. */
const TOPIC =
  /cookie|consent|gdpr|rgpd|dsgvo|datenschutz|einwillig|témoins de connexion|galletas|kakor|informasjonskapsler|evästei|ciasteczk|pliki cookie|süti|çerez|куки|файлы cookie|クッキー|쿠키|隐私|隱私|ملفات تعريف|עוגיות/i;
/** Matches ids, classes and labels that are typical of consent banners. */
const BANNER_NAME =
  /cookie|consent|gdpr|cmp[-_]|onetrust|didomi|usercentrics|cookiebot|quantcast|truste|privacy[-_]?(banner|notice|popup)/i;
/**
 * Matches stems of words on buttons that reject cookies. A label is compared with the patterns in this order:
 * reject, necessary, settings, accept.
 */
const REJECT =
  /reject|declin|den(y|ies)|refus|disagree|do not (accept|agree|consent)|don.?t (accept|agree)|no,? thank|without (accept|agree|consent)|opt.?out|ablehn|verweiger|nicht (akzept|zustimm|einverst)|ohne (zustimm|einwillig)|sans accepter|rechaz|no acept|rifiut|non accett|senza accett|rejeit|recus|não aceit|weiger|afwijz|niet akkoord|odrzu|nie zgadzam|odmít|odmiet|nesouhlas|avvisa|neka|afvis|avslå|avvis|hylkää|kieltäyd|elutasít|respinge|refuz|απόρριψ|απορρίπτ|reddet|отклон|отказ|не согла|відхил|拒否|拒绝|拒絕|不同意|거부|거절|رفض|דחה|דחיי/;
/** Matches words on buttons that accept only necessary cookies. */
const NECESSARY =
  /(only|just).*(necessary|essential|required)|(necessary|essential|required).*(only|cookies)|nur.*(notwendig|erforderlich|essen[tz]iell)|(notwendig|erforderlich|essen[tz]iell).*(cookies|nur)|(uniquement|seulement|que).*(nécessaire|essentiel|indispensable)|(nécessaire|essentiel)s? (uniquement|seulement)|(sol[oa]s?|únicamente).*(necesari|esencial)|(solo|soltanto).*(necessari|essenzial)|(apenas|somente|só).*(necessári|essencia)|alleen.*(noodzakelijk|functione|essenti)|tylko.*(niezbędn|konieczn)|(pouze|jen|len|iba).*(nezbytn|nevyhnutn|technick)|(endast|bara).*nödvändig|kun.*nødvendig|vain.*(välttämättöm|pakolli)|csak.*(szükség|alapvető)|doar.*(necesar|esențial)|μόνο.*(απαραίτητ)|(sadece|yalnızca).*(gerekli|zorunlu)|(только|лише|тільки).*(необходим|необхідн|обязательн)|必要.*(のみ|だけ)|(仅|僅|只).*必要|필수.*만|필수만|الضرورية فقط|חיוניות בלבד/;
/** Matches words on buttons that open settings or further information. */
const SETTINGS =
  /setting|preferenc|manag|customi[sz]|option|choices|more info|learn more|detail|policy|einstell|anpass|verwalt|mehr erfahren|richtlinie|param[èé]tr|gérer|personnalis|en savoir|politique|configur|ajust|gestion|personaliz|más inform|política|impostazion|gestisc|informativa|defini[çc][õo]es|gerir|gerenciar|instelling|beheer|voorkeur|ustawien|zarządz|nastaven|přizpůsob|inställning|hantera|indstilling|tilpas|innstilling|asetuks|beállít|setări|ρυθμίσ|ayarlar|настро|налашт|設定|设置|設置|설정|إعدادات|הגדרות/;
/** Matches words on buttons that accept all cookies. */
const ACCEPT =
  /accept|agree|allow|consent|understand|understood|got it|akzept|zustimm|einverstanden|zulass|annehm|verstand|erlaub|autoris|d.accord|acept|permit|entend|de acuerdo|accett|consent|acconsent|ho capito|aceit|concord|akkoord|toestaan|begrepen|akcept|zgadzam|zezw[aó]l|rozumiem|przyjm|přij|souhlas|povol|rozum|prija|súhlas|godkänn|förstår|tillåt|godkend|tillad|godta|aksept|tillat|hyväksy|salli|ymmärr|elfogad|megért|sunt de acord|înțeleg|αποδοχ|αποδέχ|συμφων|κατάλαβα|kabul|izin ver|anladım|приня|приним|соглас|понятно|разреш|прийня|погодж|зрозуміл|приема|同意|受け入れ|許可|承諾|接受|允许|允許|동의|수락|허용|قبول|أوافق|موافق|مسכים|מסכים|אישור|קבל/;
/** Short labels of buttons that accept cookies. They count only in a banner, and only as the whole label. */
const ACCEPT_SHORT =
  /^(ok(ay)?|yes|ja|oui|sí|sì|sim|tak|ano|igen|да|так|はい|好的?|확인|continue|weiter|continuer|continuar|fortsätt|got it!?)[.! ]*$/;

const isInView = (element: Element): boolean => {
  const { bottom, top } = element.getBoundingClientRect();
  return isSeen(element) && bottom > 0 && top < innerHeight;
};

const textOf = (element: Element): string => {
  // biome-ignore lint/performance/useDomNodeTextContent: only what is rendered counts
  let text = element instanceof HTMLElement ? element.innerText : "";
  for (const node of deepElements(element)) {
    const root = registry.rootOf(node);
    if (root) for (const child of root.children) text += ` ${textOf(child)}`;
  }
  const own = registry.rootOf(element);
  if (own) for (const child of own.children) text += ` ${textOf(child)}`;
  return text;
};

const choiceOf = (label: string): ConsentChoice | undefined => {
  const plain = comparable(label);
  if (plain === "" || plain.length > 60) return undefined;
  if (REJECT.test(plain)) return "reject";
  if (NECESSARY.test(plain)) return "necessary";
  if (SETTINGS.test(plain)) return "settings";
  return ACCEPT.test(plain) || ACCEPT_SHORT.test(plain) ? "accept" : undefined;
};

const isButton = (element: Element): boolean =>
  element.matches("button,a,[role=button],input[type=button],input[type=submit],[onclick]") ||
  registry.hasClickListener(element);

const labelOf = (element: Element): string =>
  element instanceof HTMLInputElement
    ? element.value
    : shorten(textOf(element) || (element.getAttribute("aria-label") ?? ""), 100);

const buttonsIn = (element: Element): readonly (readonly [Element, string, ConsentChoice])[] => {
  const found = [...deepElements(element)].flatMap((element) => {
    if (!isButton(element) || !isInView(element)) return [];
    const label = labelOf(element);
    const choice = choiceOf(label);
    return choice ? [[element, label, choice] as const] : [];
  });
  // A container with a click listener is no button if it contains a button.
  return found.filter(([element]) => !found.some(([other]) => other !== element && element.contains(other)));
};

const isOver = (element: Element): boolean =>
  element.matches("dialog[open],[role=dialog],[role=alertdialog],[aria-modal=true]") ||
  /fixed|sticky/.test(getComputedStyle(element).position);
const isNamed = (element: Element): boolean =>
  BANNER_NAME.test(
    `${element.id} ${element.getAttribute("class") ?? ""} ${element.getAttribute("aria-label") ?? ""}`,
  );

export const consentBanners: ConsentBanners = {
  find(own) {
    const candidates = [...deepElements(document)].filter(
      (element) =>
        element !== document.body &&
        !isButton(element) &&
        (isOver(element) || isNamed(element)) &&
        isInView(element),
    );
    if (own && document.body) candidates.unshift(document.body);
    let best: { element: Element; text: string; buttons: ReturnType<typeof buttonsIn> } | undefined;
    for (const element of candidates) {
      const text = textOf(element);
      if (text.length < 15 || text.length > 20_000 || !TOPIC.test(`${text} ${own ? location.href : ""}`))
        continue;
      const buttons = buttonsIn(element);
      if (
        !buttons.some(([, , choice]) => choice === "accept" || choice === "reject" || choice === "necessary")
      )
        continue;
      // The container with the most buttons is taken as the banner. Of several containers with equally many
      // buttons, it is the one with the shortest text.
      if (
        !best ||
        buttons.length > best.buttons.length ||
        (buttons.length === best.buttons.length && text.length <= best.text.length)
      )
        best = { element, text, buttons };
    }
    return (
      best && {
        id: identity.identify(best.element),
        text: shorten(best.text, 300),
        buttons: best.buttons.map(([button, label, choice]) => ({
          id: identity.identify(button),
          label,
          choice,
        })),
      }
    );
  },

  isVisible(id) {
    const element = identity.find(id);
    return element !== undefined && isInView(element) && buttonsIn(element).length > 0;
  },
};

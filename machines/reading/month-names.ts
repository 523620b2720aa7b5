/** The names of months as pages write them, long and short, in common languages. */

/** The names of each month, starting with January, in the languages of `month-and-day-names.ts`. */
const MONTH_NAMES = [
  "january jan januar janvier janv enero ene gennaio gen janeiro januari styczeń stycznia sty январь января янв",
  "february feb februar février févr febrero febbraio fevereiro fev februari luty lutego lut февраль февраля фев февр",
  "march mar märz mär mars marzo março maart mrt marzec marca март марта мар",
  "april apr avril avr abril abr aprile kwiecień kwietnia kwi апрель апреля апр",
  "may mai mayo maggio mag maio mei maj maja май мая",
  "june jun juni juin junio giugno giu junho czerwiec czerwca cze июнь июня июн",
  "july jul juli juillet juil julio luglio lug julho lipiec lipca lip июль июля июл",
  "august aug août agosto ago augustus augusti sierpień sierpnia sie август августа авг",
  "september sep sept septembre septiembre settembre set setembro wrzesień września wrz сентябрь сентября сент сен",
  "october oct oktober okt octobre octubre ottobre ott outubro out październik października paź октябрь октября окт",
  "november nov novembre noviembre novembro listopad listopada lis ноябрь ноября нояб ноя",
  "december dec dezember dez décembre déc diciembre dic dicembre dezembro grudzień grudnia gru декабрь декабря дек",
];

export const MONTHS: ReadonlyMap<string, number> = new Map(
  MONTH_NAMES.flatMap((names, index) => names.split(" ").map((name) => [name, index + 1] as const)),
);

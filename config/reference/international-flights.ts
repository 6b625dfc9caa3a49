/**
 * Which airports send most of their flights abroad. No open table has it by airport, so it is a rule by judgment: an answer that rests
 * on it says that it is assumed, and gives the other answer where that is another time.
 */

/** Countries in which most flights of most large airports stay in the country. */
export const DOMESTIC_MARKETS: ReadonlySet<string> = new Set(
  'US CA MX BR AR CO CL PE BO EC VE AU NZ PG CN JP KR IN ID PH VN TH MY MM NP PK KZ RU IR TR SA NO ZA NG DZ LY'.split(
    ' ',
  ),
)

/** Gateways of these countries from which most flights cross the border. */
export const MOSTLY_INTERNATIONAL: ReadonlySet<string> = new Set(
  'YYZ YUL CUN EZE NRT KIX ICN BKK HKT KUL IST SAW AYT DPS JED BKI PNH CEB'.split(' '),
)

/** Large airports elsewhere from which most flights stay in the country. */
export const MOSTLY_DOMESTIC: ReadonlySet<string> = new Set(
  'LIN CTA PMO CAG ORY TFN BMA KHH TSA OKA GMP CJU'.split(' '),
)

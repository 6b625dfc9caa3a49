import { AIRLINES } from './airlines.ts'
import { territoriesOf } from './countries.ts'

/**
 * The airports that send most of their flights abroad. No open table has it by airport, so it is a rule by judgment: an answer
 * that rests on it says that it is assumed, and gives the other answer where that is another time.
 */

/** Countries in which most flights of most large airports stay in the country. */
export const DOMESTIC_MARKETS: ReadonlySet<string> = new Set(
  'US CA MX BR AR CO CL PE BO EC VE AU NZ PG CN JP KR IN ID PH VN TH MY MM NP PK KZ RU IR TR SA NO ZA NG DZ LY'.split(
    ' ',
  ),
)

/** Gateways of these countries from which most flights cross the border, and smaller airports elsewhere that low-cost airlines use for flights abroad. */
export const MOSTLY_INTERNATIONAL: ReadonlySet<string> = new Set(
  'YYZ YUL CUN EZE NRT KIX ICN BKK HKT KUL IST SAW AYT DPS JED BKI PNH CEB IKA SJD DLM HHN NRN FMM FKB BVA CIA GRO REU'.split(
    ' ',
  ),
)

/** Countries with several airports and no scheduled passenger flight between them. */
export const WITHOUT_DOMESTIC_FLIGHTS: ReadonlySet<string> = new Set('AE BE HK HU LU MO NL SG SI'.split(' '))

/** Large airports elsewhere from which most flights stay in the country. */
export const MOSTLY_DOMESTIC: ReadonlySet<string> = new Set(
  'LIN CTA PMO CAG ORY TFN BMA KHH TSA OKA GMP CJU'.split(' '),
)

const withTerritories = (country: string) => [country, ...territoriesOf(country)]
const REALMS = ['GB', 'FR', 'NL', 'DK'].map(withTerritories)

/**
 * Countries and territories whose airlines may fly within each other. Elsewhere an airline flies within its own country alone: Article 7 of
 * the Chicago Convention lets each state refuse others the right to.
 */
const COMMON_MARKETS: readonly ReadonlySet<string>[] = [
  // Regulation (EC) 1008/2008, the EEA agreement and that with Switzerland, with the outermost regions of the EU that have codes of their own.
  'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK IS LI NO CH AX GF GP MF MQ RE SJ YT'.split(
    ' ',
  ),
  // The Single Aviation Market of 1996.
  ['NZ', ...territoriesOf('NZ'), ...withTerritories('AU')],
  // The United States with their territories, and the states of the Compact of Free Association.
  [...withTerritories('US'), 'FM', 'MH', 'PW'],
  ...REALMS,
  ['MA', 'EH'],
].map((countries) => new Set(countries))

/** Whether an airline of one country may fly within another one. */
const mayFlyWithin = (country: string, airlineCountry: string) =>
  country === airlineCountry || COMMON_MARKETS.some((market) => market.has(country) && market.has(airlineCountry))

const airlineOf = (code: string | null) => (code === null ? undefined : AIRLINES.where('iata', code)[0])

/** The name of an airline all of whose flights from a country leave it; null for one that may fly within it or is not known. */
export function airlineFromAbroad(code: string | null, country: string): string | null {
  const airline = airlineOf(code)
  return airline?.countries.every((own) => !mayFlyWithin(country, own)) ? airline.airline : null
}

/** The name of an airline of the United States alone; null for any other. */
export function airlineOfUs(code: string | null): string | null {
  const airline = airlineOf(code)
  return airline?.countries.every((own) => own === 'US') ? airline.airline : null
}

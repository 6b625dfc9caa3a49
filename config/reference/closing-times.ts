import { type Evidence, evidence } from './evidence.ts'

/** Minutes before departure. Null: the page does not say. */
interface Closing {
  check_in: number | null
  bag_drop: number | null
  gate: number | null
}

/** When an airline closes check-in, bag drop and gate. */
export interface ClosingTimes extends Evidence {
  /** IATA code; null for the general rule, which counts for airlines that are not listed. */
  airline: string | null
  name: string
  domestic: Closing
  international: Closing
  /** International flights of up to 4,000 km, where the airline closes later for them. */
  short_haul: Closing | null
  /** Airports of departure where check-in and bag drop close earlier: IATA code → minutes. */
  airports: Readonly<Record<string, number>>
}

const closing = (check_in: number | null, bag_drop: number | null, gate: number | null): Closing => ({
  check_in,
  bag_drop,
  gate,
})

interface Row {
  domestic: Closing
  international: Closing
  short_haul?: Closing
  airports?: Record<string, number>
}

const row = (airline: string | null, name: string, times: Row, from: Evidence): ClosingTimes =>
  Object.assign({ airline, name, short_haul: null, airports: {} }, times, from)

/** The rule for airlines without a row of their own, and for what a row leaves open. */
export const GENERAL_CLOSING_TIMES: ClosingTimes = row(
  null,
  'general rule',
  { domestic: closing(45, 45, 15), international: closing(60, 60, 20) },
  evidence(
    'https://travelnoire.com/checked-baggage-cutoff-times-airlines (bags 45 and 60 min) ; https://trip.express/en/help/what-are-the-check-in-procedures-at-the-airport (gates 15 and 20 min)',
    '2026-02-12',
    'A general rule: the airline’s own time wins.',
  ),
)

/** The airlines whose closing times a page states, written by hand with their pages. */
export const CLOSING_TIMES: readonly ClosingTimes[] = [
  row(
    'AA',
    'American Airlines',
    {
      domestic: closing(45, 45, 15),
      international: closing(60, 60, 15),
      airports: { PEK: 75, EZE: 75, CCS: 90, DUB: 75, SJU: 60, STT: 90 },
    },
    evidence('https://www.aa.com/i18n/travel-info/arrival-times.jsp ; https://flypgv.com/faq/ (boarding)', null),
  ),
  row(
    'UA',
    'United Airlines',
    {
      domestic: closing(45, 45, 15),
      international: closing(60, 60, 30),
      airports: { DUB: 75, LIM: 75, LOS: 90 },
    },
    evidence(
      'https://www.islands.com/1872818/united-airlines-latest-check-in-policy-update-miss-flight-overlook-ignore/ ; https://www.baggage-allowance.info/united-airlines-check-in-boarding (gate of international flights, airports)',
      '2025-05-29',
    ),
  ),
  row(
    'DL',
    'Delta Air Lines',
    { domestic: closing(30, 45, 15), international: closing(60, 60, null) },
    evidence(
      'https://travelnoire.com/checked-baggage-cutoff-times-airlines ; https://www.islands.com/1872818/united-airlines-latest-check-in-policy-update-miss-flight-overlook-ignore/ ; https://travelpander.com/?p=116239 (gate)',
      '2025-05-29',
    ),
  ),
  row(
    'AS',
    'Alaska Airlines',
    { domestic: closing(50, 50, null), international: closing(60, 60, null), airports: { GDL: 90, AKN: 60, DLG: 60 } },
    evidence(
      'https://alaskaair.convertlanguage.com/alaskaair/enes/content/travel-info/at-the-airport/airport-boarding-times ; https://travelnoire.com/checked-baggage-cutoff-times-airlines',
      '2025-04',
    ),
  ),
  row(
    'B6',
    'JetBlue',
    { domestic: closing(30, 40, 15), international: closing(60, 60, 20) },
    evidence(
      'https://www.flightaura.com/check-in-policy/jetblue-airline-check-in-policy/ ; http://mobile2.jetblue.com/travel/international-travel/',
      '2024',
    ),
  ),
  row(
    'WN',
    'Southwest Airlines',
    { domestic: closing(10, 45, 10), international: closing(60, 60, 10), airports: { AUA: 75 } },
    evidence(
      'https://www.southwest.com/html/customer-service/airport-experience/index-pol.html ; https://www.southwest.com/faq/checking-baggage-internationally ; https://genbuy.net/luggage/how-late-can-you-check-in-luggage-southwest (domestic bags)',
      null,
    ),
  ),
  row(
    'AC',
    'Air Canada',
    { domestic: closing(60, 60, 15), international: closing(60, 60, 15) },
    evidence(
      'http://pequotlegion.org/index-58.html (Global News on the change of 2024) ; https://www.farecopy.com/check-in/air-canada-check-in-and-boarding-pass (gate)',
      '2024-08',
    ),
  ),
  row(
    'WS',
    'WestJet',
    { domestic: closing(45, 45, 10), international: closing(60, 60, 10) },
    evidence('http://www.westjet.com/mobile/en/travel/basics/check-in/times.shtml', null),
  ),
  row(
    'BA',
    'British Airways',
    {
      domestic: closing(45, 45, null),
      international: closing(60, 60, null),
      short_haul: closing(45, 45, null),
    },
    evidence(
      'https://independent.co.uk/travel/news-and-advice/ba-check-in-deadline-extended-heathrow-long-haul-passengers-british-airways-a7385551.html',
      '2016-10',
    ),
  ),
  row(
    'FR',
    'Ryanair',
    { domestic: closing(40, 40, null), international: closing(40, 40, null) },
    evidence(
      'https://www.buzzair.com/en/tcs/article-6-check-in-boarding-and-seating/ ; https://opendazem.buzz/2025/03/09/major-warning-to-ryanair-passengers-over-simple-40-minute-mistake-that-could-cost-e100',
      '2025-03-09',
    ),
  ),
  row(
    'U2',
    'easyJet',
    { domestic: closing(40, 40, 30), international: closing(40, 40, 30) },
    evidence('http://jerseyeveningpost.com/news/2016/06/02/easyjet-to-bring-in-30-minute-cut-off/', '2016-06-02'),
  ),
  row(
    'VY',
    'Vueling',
    {
      domestic: closing(40, 40, 20),
      international: closing(60, 60, 20),
      airports: { AMS: 60, ORY: 75 },
    },
    evidence('https://help.vueling.com/hc/en-gb/articles/19798808253201-Airport-Check-in-Open-and-Closing-Times', null),
  ),
  row(
    'W6',
    'Wizz Air',
    {
      domestic: closing(40, 40, null),
      international: closing(40, 40, null),
      airports: { AUH: 60, BER: 60, OTP: 60, DMM: 60, DXB: 60 },
    },
    evidence(
      'https://wizzair.com/hi-in/help-centre/check-in-and-boarding/check-in/check-in-and-baggage-drop-off-times',
      null,
    ),
  ),
  row(
    'KL',
    'KLM',
    {
      domestic: closing(40, 40, null),
      international: closing(60, 60, null),
      short_haul: closing(40, 40, null),
      airports: { ACC: 120, LOS: 120, BON: 70, PBM: 120 },
    },
    evidence('https://www.klm.com/travel/gh_en/prepare_for_travel/checkin_options/dropoff_times/index.htm', null),
  ),
  row(
    'AF',
    'Air France',
    { domestic: closing(40, 40, 20), international: closing(null, null, 20) },
    evidence('https://www.airfrance.com.tr/TR/en/common/guidevoyageur/aeroport/enregistrement_hle.htm', null),
  ),
  row(
    'EI',
    'Aer Lingus',
    {
      domestic: closing(45, 45, null),
      international: closing(75, 75, null),
      short_haul: closing(45, 45, null),
    },
    evidence('https://www.seatmaestro.es/airlines-seating-maps/aer-lingus/check-in/', null),
  ),
  row(
    'DY',
    'Norwegian',
    {
      domestic: closing(30, 30, 20),
      international: closing(60, 60, 30),
      short_haul: closing(45, 45, 30),
    },
    evidence('https://www.norwegian.no/reiseinformasjon/innsjekking-og-boarding/frister-for-innsjekking/', null),
  ),
  row(
    'SK',
    'SAS',
    {
      domestic: closing(40, 40, 20),
      international: closing(null, null, 20),
      short_haul: closing(45, 45, 20),
    },
    evidence('https://sas.no/reiseinfo/innsjekking-og-ombordstigning/frister-for-innsjekking-ombordstigning', null),
  ),
  row(
    'VS',
    'Virgin Atlantic',
    { domestic: closing(70, 70, 30), international: closing(70, 70, 30) },
    evidence('https://help.virginatlantic.com/in/en/policies/conditions-of-carriage-china/article-11.html', null),
  ),
  row(
    'EK',
    'Emirates',
    { domestic: closing(60, 60, 15), international: closing(60, 60, 15) },
    evidence('https://irhal.com/irhal-travel-news/business/art-news-28981/', '2011-12'),
  ),
  row(
    'LY',
    'El Al',
    { domestic: closing(60, 60, 15), international: closing(60, 60, 15) },
    evidence('https://www.elal.com/en/PassengersInfo/Useful-Info/Airport-Services/Pages/Appearance-Time.aspx', null),
  ),
]

/** Airports that refuse travellers at the entrance of security this long before departure. */
export const SECURITY_ENTRY_CLOSES: Readonly<Record<string, { minutes: number } & Evidence>> = {
  LHR: {
    minutes: 35,
    ...evidence('https://morepremium.com/do-not-arrive-too-late-for-security-control-at-london-heathrow/', null),
  },
}

const byAirline = new Map(CLOSING_TIMES.map((times) => [times.airline, times]))

/** The closing times of an airline; undefined when no page is known. */
export const closingTimesOf = (airline: string): ClosingTimes | undefined => byAirline.get(airline)

import type { AirportSize } from '../domain.ts'
import { type Evidence, evidence } from './evidence.ts'

/** How long a step between the door and the gate takes where nothing is measured: minutes in half and in nine of ten cases. */
export interface StepTime extends Evidence {
  p50: number
  p90: number
  /** published: the source states these minutes; assumed: chosen here between figures that the source states. */
  basis: 'published' | 'assumed'
  /** How the minutes follow from the source. */
  reason: string
}

/** The queue of bag drop and check-in desks, with the handing over. */
export const BAG_DROP: StepTime = {
  p50: 10,
  p90: 30,
  basis: 'assumed',
  reason:
    'American Airlines advised 30 minutes more for travellers with bags, British Airways promised 5 at most; in a US survey of 2024 65 % waited 10 minutes or more in the longest queue before the gates',
  ...evidence(
    'http://www.aa.com/i18n/travelInformation/checkingIn/arrivalTimes.jsp ; https://travelweekly.co.uk/articles/26550/heathrows-terminal-5-will-impose-45-min-check-in ; https://www.internationalairportreview.com/news/230348/new-survey-reveals-key-inconveniences-faced-by-u-s-travellers-at-airports',
    '2024-09-25',
    'No measured queue is published for this airport.',
  ),
}

/** Passport control on the way out, without biometric registration. */
export const EXIT_CONTROL: StepTime = {
  p50: 10,
  p90: 20,
  basis: 'assumed',
  reason: 'a third of the 60 minutes that ICAO Annex 9 aims at for all departure formalities, in nine of ten cases',
  ...evidence(
    'https://www.yumpu.com/en/document/view/50071459/facilitation-and-airport-services-airports-council-international/5',
    null,
    'An aim, not a measurement.',
  ),
}

/** Passport control on the way out for travellers whom the Entry/Exit System registers. */
export const EXIT_CONTROL_EES: StepTime = {
  p50: 20,
  p90: 90,
  basis: 'published',
  reason:
    'from 20 minutes to 1.5 to 2 hours when flights bunch (Tenerife, 2026); airlines advise to come three hours before',
  ...evidence(
    'https://digitalmarketreports.com/news/60817/european-airports-warn-of-long-queues-as-biometric-border-system-rolls-out ; https://news.warptechlab.com/news/185877964',
    '2026-05',
    'Reports of single airports and peaks: many borders take far less.',
  ),
}

/** US immigration and customs before a flight to the US. */
export const US_PRECLEARANCE: StepTime = {
  p50: 25,
  p90: 60,
  basis: 'published',
  reason: 'usually 20 to 30 minutes, from 2 minutes to two hours; an hour in a queue is reported',
  ...evidence(
    'https://clarecountrycottages.com/qa/quick-answer-what-happens-at-us-preclearance.html ; https://mytravelsnapshots.com/2013/07/22/top-tips-for-international-departures-from-dublin-to-america/',
    null,
    'US Customs and Border Protection publishes past queues per airport at pqt.cbp.gov.',
  ),
}

const KAYAK = 'https://www.tourism-review.com/vienna-airport-the-fastest-in-boarding-passengers-news4330'
const FARTHEST = 'http://jerseyeveningpost.com/news/2016/06/02/easyjet-to-bring-in-30-minute-cut-off/'
const SHORTEST =
  'https://travelgumbo.com/2024/03/29/airport-hiking-the-long-and-short-of-it (distances) ; https://doi.org/10.3141/1674-03 (walking in terminals)'

/** The walk from security to the gate, by airport size. */
export const WALK: Readonly<Record<AirportSize, StepTime>> = {
  large: {
    p50: 11,
    p90: 20,
    basis: 'published',
    reason:
      'the median of eight large European airports in a study of 2014; walks of up to 20 minutes to some gates of larger airports',
    ...evidence(`${KAYAK} ; ${FARTHEST}`, '2016-06-02'),
  },
  medium: {
    p50: 5,
    p90: 12,
    basis: 'published',
    reason: 'the median and the longest of four airports of 10 to 20 million passengers in a study of 2014',
    ...evidence(KAYAK, '2014-11-17'),
  },
  small: {
    p50: 3,
    p90: 5,
    basis: 'published',
    reason: '0.11 to 0.20 miles to the farthest gate of the five US airports with the shortest walks, at walking pace',
    ...evidence(SHORTEST, '2024-03-29'),
  },
}

/** Minutes from security to the gate, as a study of 2014 found them at single airports; its average of all gates. */
export const WALK_AT: Readonly<Record<string, number>> = {
  VIE: 5,
  BCN: 7,
  ZRH: 11,
  FCO: 13,
  ORY: 13,
  MAD: 15,
  DME: 20,
  CDG: 12,
  MXP: 12,
  WAW: 5,
  NCE: 5,
}
export const WALK_AT_EVIDENCE = evidence(KAYAK, '2014-11-17', 'The average of all gates: yours may be further.')

/** Airports where US immigration and customs clear travellers before a flight to the US. */
export const PRECLEARANCE_AIRPORTS: ReadonlySet<string> = new Set(
  'YYC YEG YHZ YUL YOW YYZ YVR YWG DUB SNN AUA NAS BDA AUH'.split(' '),
)
export const PRECLEARANCE_EVIDENCE = evidence(
  'https://www.cbp.gov/travel/preclearance ; https://yourmileagemayvary.com/2026/01/15/us-preclearance-expansion',
  '2026-01-15',
)

/** Countries and territories into which a flight needs US entry clearance. */
export const US_ENTRY: ReadonlySet<string> = new Set(['US', 'PR', 'VI', 'GU', 'MP'])

/** Countries that do not check passports on the way out. */
export const NO_EXIT_CONTROL: ReadonlySet<string> = new Set(['US', 'PR', 'VI', 'GU', 'MP', 'AS', 'CA', 'GB', 'IE'])
export const NO_EXIT_CONTROL_EVIDENCE = evidence(
  'https://wiki.bondhou.com/content/travel.stackexchange.com_en_all_2024-11/questions/129337/why-did-i-not-pass-through-passport-control-when-transiting-to-an-internationa ; http://hollymelody.com/travel/46/is-the-united-states-an-exception-in-not-having-customs-immigration-formalities-f',
  '2024-11',
)

/** The Entry/Exit System registers travellers at all external Schengen borders since this day. */
export const EES_EVIDENCE = evidence(
  'Regulation (EU) 2017/2226, in full operation since 2026-04-10',
  '2026-04-10',
  'A state may suspend it at a crossing point.',
)

/**
 * Waits grow faster than the number of travellers: over Memorial Day 2026 they were 1.13 times the usual ones at the median
 * of 18 US airports, on days that usually have 1.09 times the travellers. The factor of a wait is the ratio of travellers to
 * this power. test/evidence/leave-by-calibration.test.ts computes it anew.
 */
export const WAIT_VOLUME_EXPONENT = 1.5

import { z } from 'zod'
import type { AirportSize } from '../vocabulary.ts'
import { referenceFile } from './define-reference.ts'
import { Evidence, evidence } from './evidence.ts'
import { SMALL_STATES_PAGE } from './schengen-territories.ts'

/** How long a step between the door and the gate takes where nothing is measured: minutes in half and in nine of ten cases. */
const StepTimeRow = z.strictObject({
  step: z.enum([
    'bag_drop',
    'exit_control',
    'exit_control_ees',
    'us_inspection',
    'us_preclearance',
    'walk_large',
    'walk_medium',
    'walk_small',
  ]),
  p50: z.int().min(1),
  p90: z.int().min(1),
  basis: z
    .enum(['published', 'assumed'])
    .describe(
      'published: the source states these minutes; assumed: chosen here between figures that the source states.',
    ),
  reason: z.string().min(1).describe('How the minutes follow from the source.'),
  ...Evidence.shape,
})
export type StepTime = Omit<z.infer<typeof StepTimeRow>, 'step'>

/** The times of the steps, written by hand with their pages. */
export const DEPARTURE_STEPS_FILE = referenceFile('departure-steps', StepTimeRow)

function timeOf(wanted: z.infer<typeof StepTimeRow>['step']): StepTime {
  const { step: _, ...time } = DEPARTURE_STEPS_FILE.rows().find(({ step }) => step === wanted)!
  return time
}

/** The queue of bag drop and check-in desks, with the handing over. */
export const BAG_DROP = timeOf('bag_drop')

/** Passport control on the way out, without biometric registration. */
export const EXIT_CONTROL = timeOf('exit_control')

/** Passport control on the way out for travellers whom the Entry/Exit System registers. */
export const EXIT_CONTROL_EES = timeOf('exit_control_ees')

/** The border inspection of everybody who flies from some US islands to the rest of the US, before security. */
export const US_INSPECTION = timeOf('us_inspection')

/** Those islands, by country: the US Virgin Islands and Guam. */
export const INSPECTED_ISLANDS: ReadonlySet<string> = new Set(['VI', 'GU'])

/** US immigration and customs before a flight to the US. */
export const US_PRECLEARANCE = timeOf('us_preclearance')

/** The walk from security to the gate, by airport size. */
export const WALK: Readonly<Record<AirportSize, StepTime>> = {
  large: timeOf('walk_large'),
  medium: timeOf('walk_medium'),
  small: timeOf('walk_small'),
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
export const WALK_AT_EVIDENCE = evidence(
  'https://www.tourism-review.com/vienna-airport-the-fastest-in-boarding-passengers-news4330',
  '2014-11-17',
  'The average of all gates: yours may be further.',
)

/** Airports where US immigration and customs clear travellers before a flight to the US. */
export const PRECLEARANCE_AIRPORTS: ReadonlySet<string> = new Set(
  'YYC YEG YHZ YUL YOW YYZ YTZ YVR YWG DUB SNN AUA NAS BDA AUH'.split(' '),
)
export const PRECLEARANCE_EVIDENCE = evidence(
  'https://www.cbp.gov/travel/preclearance ; https://yourmileagemayvary.com/2026/01/15/us-preclearance-expansion ; https://thepointsguy.com/news/toronto-billy-bishop-downtown-airport-preclearance/ (YTZ)',
  '2026-03-12',
)

/** Countries and territories into which a flight needs US entry clearance. */
export const US_ENTRY: ReadonlySet<string> = new Set(['US', 'PR', 'VI', 'GU', 'MP'])

/** Countries that do not check passports on the way out. */
export const NO_EXIT_CONTROL: ReadonlySet<string> = new Set(['US', 'PR', 'VI', 'GU', 'MP', 'AS', 'CA', 'GB', 'IE'])
export const NO_EXIT_CONTROL_EVIDENCE = evidence(
  'https://wiki.bondhou.com/content/travel.stackexchange.com_en_all_2024-11/questions/129337/why-did-i-not-pass-through-passport-control-when-transiting-to-an-internationa ; http://hollymelody.com/travel/46/is-the-united-states-an-exception-in-not-having-customs-immigration-formalities-f',
  '2024-11',
)

/** Islands from which nobody is checked on journeys within the Common Travel Area; its other members check nobody on the way out. */
export const COMMON_TRAVEL_AREA: ReadonlySet<string> = new Set(['GB', 'IE', 'IM', 'JE', 'GG'])
export const COMMON_TRAVEL_AREA_EVIDENCE = evidence(
  'Immigration Act 1971, section 1(3): https://www.lexisnexis.co.uk/legal/guidance/the-common-travel-area',
  null,
)

/** Outside the Schengen area, and yet without checks between them and its states, with the page that says it: the Faroe Islands and Greenland by the accession of Denmark, and Monaco. */
export const WITHOUT_CHECKS_TO_SCHENGEN: ReadonlyMap<string, Evidence> = new Map([
  ['FO', evidence('https://www.liquisearch.com/faroe_islands_and_the_european_union/eu_relations', null)],
  [
    'GL',
    evidence(
      'https://naalakkersuisut.gl/en/About-government-of-greenland/About-Greenland/Coming-to-Greenland/Schengen-and-Tourists',
      null,
    ),
  ],
  ['MC', evidence(SMALL_STATES_PAGE, '2012-11-20')],
])

/** Svalbard is outside the Schengen area: everybody is checked between it and the mainland of Norway. */
export const SVALBARD_EVIDENCE = evidence(
  'https://www.spitsbergen-svalbard.com/2015/11/21/tougher-border-controls-between-norway-and-svalbard.html',
  '2015-11-21',
)

/** Airports of the Schengen area from which everybody is checked on the way to the rest of it: Melilla and Ceuta, by the accession of Spain. */
export const CHECKED_WITHIN_SCHENGEN: ReadonlySet<string> = new Set(['MLN', 'JCU'])
export const CHECKED_WITHIN_EVIDENCE = evidence(
  'https://aviaciondigital.com/la-puesta-en-servicio-de-la-t3-de-malaga-realiza-los-controles-preceptivos-que-marca-la-ley-en-los-vuelos-a-ceuta/',
  null,
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

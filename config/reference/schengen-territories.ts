import { type Evidence, evidence } from './evidence.ts'

/** A part of a Schengen state that lies outside the area. */
export interface SchengenTerritory extends Evidence {
  /** ISO 3166-1 country or 3166-2 region as in the airport directory; an IATA code if the directory has no region. */
  code: string
  name: string
}

const NORDIC = evidence('http://www.immigration-residency.eu/faq/europe-schengen-territories-outside-europe/', null)
const OVERSEAS = evidence(
  'https://www.liquisearch.com/schengen_area/territories_of_schengen_states_outside_the_area',
  null,
)
const outside = (names: Record<string, string>, from: Evidence): SchengenTerritory[] =>
  Object.entries(names).map(([code, name]) => ({ code, name, ...from }))

/**
 * Parts of Schengen states that are outside the area. All other parts are inside, such as the Canaries, the Azores, Madeira,
 * Ceuta and Melilla (the last two with checks towards the mainland).
 */
export const TERRITORIES_OUTSIDE: readonly SchengenTerritory[] = [
  ...outside({ GL: 'Greenland', FO: 'Faroe Islands', SJ: 'Svalbard', 'NO-21': 'Svalbard', SYG: 'Svalbard' }, NORDIC),
  ...outside({ GF: 'French Guiana', GP: 'Guadeloupe', MQ: 'Martinique', RE: 'Réunion', YT: 'Mayotte' }, OVERSEAS),
  ...outside({ BL: 'Saint Barthélemy', MF: 'Saint Martin', PM: 'Saint Pierre and Miquelon' }, OVERSEAS),
  ...outside({ PF: 'French Polynesia', NC: 'New Caledonia', WF: 'Wallis and Futuna' }, OVERSEAS),
  ...outside({ AW: 'Aruba', CW: 'Curaçao', SX: 'Sint Maarten', BQ: 'Caribbean Netherlands' }, OVERSEAS),
]

/** A small state between Schengen states, and whether days there count as days of stay. */
export interface SmallState extends Evidence {
  code: string
  name: string
  counts: boolean
  note: string
}

const SMALL_STATES_PAGE = 'European Commission, COM(2012) 680 final: EU relations with Andorra, Monaco and San Marino'
const NO_EXIT = 'it has no border checks, so no exit is recorded and the days are counted'

/** The states that can only be reached through the Schengen area. They are no members. */
export const SMALL_STATES: readonly SmallState[] = [
  {
    code: 'AD',
    name: 'Andorra',
    counts: false,
    note: 'it is outside the area, but days there are only free if your exit and your new entry are recorded; without that record a border guard counts them',
    ...evidence(SMALL_STATES_PAGE, '2012-11-20'),
  },
  {
    code: 'MC',
    name: 'Monaco',
    counts: true,
    note: 'France checks its external border, so the days are counted',
    ...evidence(SMALL_STATES_PAGE, '2012-11-20'),
  },
  { code: 'SM', name: 'San Marino', counts: true, note: NO_EXIT, ...evidence(SMALL_STATES_PAGE, '2012-11-20') },
  {
    code: 'VA',
    name: 'Vatican City',
    counts: true,
    note: NO_EXIT,
    ...evidence('https://atlasdays.app/learn/schengen-countries-list-90-180-rule', '2026-03'),
  },
]

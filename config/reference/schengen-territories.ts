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

/** A place between Schengen states that is no member, and whether days there count as days of stay. */
export interface SmallState extends Evidence {
  code: string
  name: string
  counts: boolean
  /** First day that counts; null: all days do, or none does. */
  counts_from: string | null
  note: string
}

export const SMALL_STATES_PAGE =
  'European Commission, COM(2012) 680 final: EU relations with Andorra, Monaco and San Marino'
const NO_EXIT = 'it has no border checks, so no exit is recorded and the days are counted'

/** The states that can only be reached through the Schengen area, and Gibraltar, whose border Spain checks. They are no members. */
export const SMALL_STATES: readonly SmallState[] = [
  {
    code: 'AD',
    name: 'Andorra',
    counts: false,
    counts_from: null,
    note: 'it is outside the area, but days there are only free if your exit and your new entry are recorded; without that record a border guard counts them',
    ...evidence(SMALL_STATES_PAGE, '2012-11-20'),
  },
  {
    code: 'MC',
    name: 'Monaco',
    counts: true,
    counts_from: null,
    note: 'France checks its external border, so the days are counted',
    ...evidence(SMALL_STATES_PAGE, '2012-11-20'),
  },
  {
    code: 'SM',
    name: 'San Marino',
    counts: true,
    counts_from: null,
    note: NO_EXIT,
    ...evidence(SMALL_STATES_PAGE, '2012-11-20'),
  },
  {
    code: 'VA',
    name: 'Vatican City',
    counts: true,
    counts_from: null,
    note: NO_EXIT,
    ...evidence('https://atlasdays.app/learn/schengen-countries-list-90-180-rule', '2026-03'),
  },
  {
    code: 'GI',
    name: 'Gibraltar',
    counts: true,
    counts_from: '2026-07-15',
    note: 'since 15 July 2026 Spain checks passports at its airport and port as at a border of the area, and days there count, as its treaty with the EU was announced; ask before you rely on days there',
    ...evidence(
      'https://ua.news/en/world/ispaniia-demontuvala-prikordonni-posti-z-gibraltarom-upershe-za-ponad-300-rokiv-the-telegraph ; https://www.schengentracker.com/posts/gibraltar-schengen-border-rules-brexit-travel-changes (days)',
      '2026',
      'Announced before it began.',
    ),
  },
]

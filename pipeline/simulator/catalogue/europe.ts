import type { Lane } from '../../../config/domain.ts'
import { type Queue, queue } from './queue.ts'

/** AMS: departure filters by code; one of them is open all night. */
export const AMS: Queue[] = (
  [
    ['VF0', 9, 4, 21],
    ['VF1', 16, 0, 24],
    ['VF2', 18, 3.5, 22.5],
    ['VF3', 17, 3.5, 22.5],
    ['VF4', 12, 4, 21.5],
    ['VH3', 8, 4, 20],
  ] satisfies [string, number, number, number][]
).map(([checkpoint, scale, opens, closes]) =>
  queue({ iata: 'AMS', terminal: '', checkpoint, lane: 'all', scale, opens, closes, fields: {} }),
)

/** ZRH: one wait for security. */
export const ZRH_SECURITY: Queue[] = [
  queue({
    iata: 'ZRH',
    terminal: '',
    checkpoint: 'Security',
    lane: 'all',
    scale: 11,
    opens: 4,
    closes: 23.5,
    fields: {},
  }),
]

const COUNTERS = { economy: '', fastBagDrop: ', fast bag drop', selfServiceBagDrop: ', self-service bag drop' }

export const ZRH_CHECKIN: Queue[] = (
  [
    ['1', { economy: 12, fastBagDrop: 5 }],
    ['2', { economy: 14, fastBagDrop: 6, selfServiceBagDrop: 4 }],
    ['3', { economy: 9, selfServiceBagDrop: 3 }],
  ] satisfies [string, Partial<Record<keyof typeof COUNTERS, number>>][]
).flatMap(([number, fields]) =>
  Object.entries(fields).map(([field, scale]) =>
    queue({
      kind: 'checkin',
      iata: 'ZRH',
      terminal: '',
      lane: 'all',
      scale,
      opens: 4,
      closes: 21.5,
      checkpoint: `Check-in ${number}${COUNTERS[field as keyof typeof COUNTERS]}`,
      fields: { number, field },
    }),
  ),
)

export const ZRH_PASSPORT: Queue[] = (
  [
    ['Departure D', 6],
    ['Arrival D', 9],
    ['Departure E', 8],
    ['Arrival E', 13],
  ] satisfies [string, number][]
).map(([identifier, scale]) =>
  queue({
    kind: 'immigration',
    iata: 'ZRH',
    terminal: '',
    lane: 'all',
    scale,
    opens: 5,
    closes: 23.5,
    checkpoint: identifier,
    fields: { identifier },
  }),
)

type FraCheckpoint = [id: string, station: string, terminal: string, lines: string[], scale: number, opens?: number]

/** FRA: the name has a line for the concourse and usually one for its gates. */
export const FRA: Queue[] = (
  [
    ['ZKS_A', 'A1', '1', ['Security checkpoint, Concourse A', 'Departure gates: A1 - A69'], 15],
    ['ZKS_AZ', 'A2', '1', ['Security checkpoint, Concourse Z', 'Departure gates: Z11 - Z69'], 12],
    ['ZKS_B', 'B1', '1', ['Security checkpoint, Concourse B', 'Departure gates: B1 - B63'], 17, 0],
    ['ZKS_C', 'C1', '1', ['Security checkpoint, Concourse C'], 9, 5],
    ['ZKS_G', 'G1', '3', ['Security checkpoint, Concourse G'], 10],
    ['ZKS_H', 'H1', '3', ['Security checkpoint, Concourses H and J', 'Departure gates: H1 - J28'], 14],
  ] satisfies FraCheckpoint[]
).map(([id, station, terminal, lines, scale, opens = 4]: FraCheckpoint) =>
  queue({
    iata: 'FRA',
    terminal,
    checkpoint: lines.join(', '),
    lane: 'all',
    scale,
    opens,
    closes: opens === 0 ? 24 : 22.5,
    fields: { id, station, place: lines.join('\r\n') },
  }),
)

export const DUS: Queue[] = (
  [
    ['A', 13],
    ['B', 16],
    ['C', 14],
  ] satisfies [string, number][]
).map(([pier, scale]) => {
  const name = `Sicherheitskontrolle ${pier}`
  return queue({
    iata: 'DUS',
    terminal: '',
    checkpoint: name,
    lane: 'all',
    scale,
    opens: 3.5,
    closes: 22,
    fields: { pier },
  })
})

/** HAM: one band for the whole airport. */
export const HAM: Queue[] = [
  queue({
    iata: 'HAM',
    terminal: '',
    checkpoint: 'Security',
    lane: 'all',
    scale: 14,
    opens: 3.5,
    closes: 22.5,
    fields: {},
  }),
]

/** BER: numbered controls; Terminal 2 has only one, numbered 0 in the feed. */
export const BER: Queue[] = (
  [
    ['T1', '1', 'standard', 12],
    ['T1', '2', 'standard', 15],
    ['T1', '3', 'priority', 14],
    ['T1', '5', 'standard', 13],
    ['T2', '0', 'standard', 11],
  ] satisfies [string, string, Lane, number][]
).map(([terminal, control, lane, scale]) =>
  queue({
    iata: 'BER',
    terminal,
    checkpoint: control === '0' ? 'Security' : `Security ${control}`,
    lane,
    scale,
    opens: 3.5,
    closes: 23,
    fields: { control },
  }),
)

/** Terminal, area (or none), scale, whether it has a fast track. */
const HEATHROW: [terminal: string, area: string, scale: number, fast: boolean][] = [
  ['2', '', 13, true],
  ['3', '', 15, true],
  ['4', '', 12, false],
  ['5', 'N', 14, true],
  ['5', 'S', 16, true],
]
const AREAS: Record<string, string> = { N: ' North', S: ' South' }

/** LHR: one checkpoint per terminal, two in Terminal 5. */
export const LHR_SECURITY: Queue[] = HEATHROW.flatMap(([terminal, area, scale, fast]) =>
  (fast ? (['standard', 'priority'] as const) : (['standard'] as const)).map((lane) =>
    queue({
      iata: 'LHR',
      terminal,
      lane,
      scale,
      opens: 4,
      closes: 22.5,
      checkpoint: `Security${AREAS[area] ?? ''}`,
      fields: { area, type: lane === 'standard' ? 'securityStandard' : 'securityFastTrack' },
    }),
  ),
)

/** LHR: two passport lanes per terminal. */
export const LHR_IMMIGRATION: Queue[] = ['2', '3', '4', '5'].flatMap((terminal, at) =>
  (
    [
      ['immigrationEEA', 'UK and EEA passports', 11],
      ['immigrationNonEEA', 'Other passports', 26],
    ] as const
  ).map(([type, checkpoint, scale]) =>
    queue({
      kind: 'immigration',
      iata: 'LHR',
      terminal,
      checkpoint,
      lane: 'all',
      scale: scale + at,
      opens: 4.5,
      closes: 24,
      fields: { area: '', type },
    }),
  ),
)

/** DUB: one wait per terminal. */
export const DUB: Queue[] = (
  [
    ['T1', 20, 0, 24],
    ['T2', 15, 3, 21.5],
  ] satisfies [string, number, number, number][]
).map(([terminal, scale, opens, closes]) =>
  queue({ iata: 'DUB', terminal, checkpoint: 'Security', lane: 'all', scale, opens, closes, fields: {} }),
)

/** EDI: one wait for the airport. */
export const EDI: Queue[] = [
  queue({
    iata: 'EDI',
    terminal: '',
    checkpoint: 'Security',
    lane: 'all',
    scale: 13,
    opens: 3,
    closes: 21.5,
    fields: {},
  }),
]

/** CPH: two terminals, one of which closes at night. */
export const CPH: Queue[] = (
  [
    ['2', 17, 0, 24],
    ['3', 14, 4, 21.5],
  ] satisfies [string, number, number, number][]
).map(([terminal, scale, opens, closes]) =>
  queue({ iata: 'CPH', terminal, checkpoint: 'Security', lane: 'all', scale, opens, closes, fields: {} }),
)

/** Swedavia's stations: number, terminal (none at Gothenburg), name, scale; some have a fast track. */
function swedaviaLanes(
  iata: string,
  list: [id: number, terminal: string, name: string, scale: number, fast: number][],
) {
  return list.flatMap(([id, terminal, checkpoint, scale, fast]) =>
    ([[id, 'standard'], ...(fast === 0 ? [] : [[fast, 'priority']])] as [number, Lane][]).map(([number, lane]) =>
      queue({
        iata,
        terminal,
        checkpoint,
        lane,
        scale,
        opens: terminal === '5' ? 0 : 3.5,
        closes: terminal === '5' ? 24 : 22,
        fields: {
          id: String(number),
          name: `${iata === 'ARN' ? 'T' : ''}${checkpoint}${lane === 'priority' ? ' FT' : ''}`,
        },
      }),
    ),
  )
}

export const ARN: Queue[] = swedaviaLanes('ARN', [
  [5, '2', '2', 13, 6],
  [7, '3', '3', 8, 0],
  [8, '4', '4', 14, 9],
  [24, '5', '5F', 17, 23],
])

export const GOT: Queue[] = swedaviaLanes('GOT', [[3, '', 'Landvetter', 16, 2]])

/** OSL: central security and two passport lanes in one list. */
export const OSL: Queue[] = [
  queue({
    iata: 'OSL',
    terminal: '',
    checkpoint: 'Central security',
    lane: 'all',
    scale: 15,
    opens: 3.5,
    closes: 23.5,
    fields: { area: 'csc', location: '' },
  }),
  ...(
    [
      ['EU', 6],
      ['nonEU', 17],
    ] satisfies [string, number][]
  ).map(([location, scale]) =>
    queue({
      kind: 'immigration',
      iata: 'OSL',
      terminal: '',
      lane: 'all',
      scale,
      opens: 5,
      closes: 23,
      checkpoint: `Passport control, ${location}`,
      fields: { area: 'emi', location },
    }),
  ),
]

/** HEL: one hall. */
export const HEL: Queue[] = [
  queue({
    iata: 'HEL',
    terminal: '',
    checkpoint: 'Departure security',
    lane: 'all',
    scale: 12,
    opens: 3,
    closes: 23.5,
    fields: {},
  }),
]

/** AENA's access controls by ICAO code of the airport: the scale of each, by number. */
export const AENA_AIRPORTS: Record<string, { iata: string; scales: number[] }> = {
  LEMD: { iata: 'MAD', scales: [14, 12, 16, 13, 18] },
  LEBL: { iata: 'BCN', scales: [17, 12, 14] },
  LEPA: { iata: 'PMI', scales: [16, 14, 13] },
  LEMG: { iata: 'AGP', scales: [17, 13] },
  LEAL: { iata: 'ALC', scales: [15] },
  LEZL: { iata: 'SVQ', scales: [13] },
  LEBB: { iata: 'BIO', scales: [12] },
  LEIB: { iata: 'IBZ', scales: [14] },
  LEVC: { iata: 'VLC', scales: [13, 11] },
  GCTS: { iata: 'TFS', scales: [15, 12] },
  GCLP: { iata: 'LPA', scales: [13, 11] },
}

/** Palma's fast track. */
const FAST_TRACK = 'LEPA_S0003'

export const AENA: Queue[] = Object.entries(AENA_AIRPORTS).flatMap(([icao, { iata, scales }]) =>
  scales.map((scale, at) => {
    const checkpoint = `S000${at + 1}`
    const id = `${icao}_${checkpoint}`
    const never = iata === 'MAD' && at === 4
    return queue({
      iata,
      terminal: '',
      checkpoint,
      lane: id === FAST_TRACK ? 'priority' : 'all',
      scale,
      opens: never ? 0 : 4,
      closes: never ? 24 : 22.5,
      fields: { id },
    })
  }),
)

const terminals = (iata: string, scales: Record<string, number>, opens: number, closes: number) =>
  Object.entries(scales).map(([terminal, scale]) =>
    queue({ iata, terminal, checkpoint: '', lane: 'all', scale, opens, closes, fields: {} }),
  )

export const STR: Queue[] = terminals('STR', { T1: 12, T3: 14, T4: 8 }, 3.5, 21.5)
export const FCO: Queue[] = terminals('FCO', { T1: 13, T3: 24 }, 0, 24)
/** BRU: one wait for the airport. */
export const BRU: Queue[] = terminals('BRU', { '': 13 }, 3.5, 22.5)

/** MUC: the id contains place and lane. */
export const MUC: Queue[] = ['T1_Abflug_SIKO_ECO_A', 'T2_Abflug_SIKO_ECO_NORD', 'T2_Abflug_SIKO_ECO_SUED'].map((id) =>
  queue({
    iata: 'MUC',
    terminal: id.slice(0, 2),
    checkpoint: id.replaceAll('_', ' '),
    lane: 'standard',
    scale: 11,
    closes: 22,
    fields: { id },
  }),
)

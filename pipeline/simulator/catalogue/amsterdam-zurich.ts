import { type Queue, queue } from './queue.ts'

/** AMS: departure filters by code; one of them stays open all night. */
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

/** ZRH: one number for security; counters and passport halls have names of their own. */
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

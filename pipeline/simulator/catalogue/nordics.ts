import type { Lane } from '../../../config/domain.ts'
import { type Queue, queue } from './queue.ts'

/** CPH: two terminals, of which one sleeps. */
export const CPH: Queue[] = (
  [
    ['2', 17, 0, 24],
    ['3', 14, 4, 21.5],
  ] satisfies [string, number, number, number][]
).map(([terminal, scale, opens, closes]) =>
  queue({ iata: 'CPH', terminal, checkpoint: 'Security', lane: 'all', scale, opens, closes, fields: {} }),
)

/** Swedavia's stations: its number, terminal (none at Gothenburg), name, scale; some have a fast track. */
function stations(iata: string, list: [id: number, terminal: string, name: string, scale: number, fast: number][]) {
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

export const ARN: Queue[] = stations('ARN', [
  [5, '2', '2', 13, 6],
  [7, '3', '3', 8, 0],
  [8, '4', '4', 14, 9],
  [24, '5', '5F', 17, 23],
])

export const GOT: Queue[] = stations('GOT', [[3, '', 'Landvetter', 16, 2]])

/** OSL: central security, and the border in two lines that the same list has. */
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

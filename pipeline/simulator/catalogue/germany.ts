import type { Lane } from '../../../config/domain.ts'
import { type Queue, queue } from './queue.ts'

type Post = [id: string, station: string, terminal: string, lines: string[], scale: number, opens?: number]

/** FRA: the place has a line for the concourse and, mostly, one for its gates. */
export const FRA: Queue[] = (
  [
    ['ZKS_A', 'A1', '1', ['Security checkpoint, Concourse A', 'Departure gates: A1 - A69'], 15],
    ['ZKS_AZ', 'A2', '1', ['Security checkpoint, Concourse Z', 'Departure gates: Z11 - Z69'], 12],
    ['ZKS_B', 'B1', '1', ['Security checkpoint, Concourse B', 'Departure gates: B1 - B63'], 17, 0],
    ['ZKS_C', 'C1', '1', ['Security checkpoint, Concourse C'], 9, 5],
    ['ZKS_G', 'G1', '3', ['Security checkpoint, Concourse G'], 10],
    ['ZKS_H', 'H1', '3', ['Security checkpoint, Concourses H and J', 'Departure gates: H1 - J28'], 14],
  ] satisfies Post[]
).map(([id, station, terminal, lines, scale, opens = 4]: Post) =>
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

/** BER: numbered controls; Terminal 2 has one only, which its feed calls 0. */
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

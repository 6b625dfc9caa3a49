import { type Queue, queue } from './queue.ts'

function screeningQueues(iata: string, list: [checkpoint: string, scale: number][]): Queue[] {
  return list.map(([checkpoint, scale]) =>
    queue({
      iata,
      terminal: checkpoint.match(/^T\d/)?.[0] ?? '',
      checkpoint,
      lane: 'all',
      scale,
      opens: 3.5,
      closes: 24,
      fields: {},
    }),
  )
}

export const YYZ = screeningQueues('YYZ', [
  ['T1 Canada Level 3', 14],
  ['T1 Canada Level 2', 10],
  ['T1 International', 13],
  ['T1 United States', 20],
  ['T3 Canada', 11],
  ['T3 International', 12],
  ['T3 United States', 15],
])
export const YUL = screeningQueues('YUL', [
  ['Canada / International', 15],
  ['Canada / International B', 9],
  ['United States', 18],
])
export const YVR = screeningQueues('YVR', [
  ['Canada North', 11],
  ['Canada South', 10],
  ['International', 13],
  ['United States', 17],
])
export const YYC = screeningQueues('YYC', [
  ['Canada A', 11],
  ['Canada B', 12],
  ['United States', 15],
])

/** A queue of the screening authority under the airport's own name: one queue, two sources. */
function mirrored(
  queues: readonly Queue[],
  authority: string,
  checkpoint: string,
  words: Record<string, string> = {},
): Queue {
  const original = queues.find((candidate) => candidate.checkpoint === authority)
  if (!original) throw new Error(`the authority has no ${authority}`)
  const { iata, lane, scale, opens, closes } = original
  const terminal = iata === 'YYZ' ? original.terminal : ''
  return queue({ iata, terminal, checkpoint, lane, scale, opens, closes, fields: words, mirrors: original.id })
}

/** YYZ: terminals have three spellings. */
export const YYZ_OWN: Queue[] = [
  mirrored(YYZ, 'T1 Canada Level 3', 'Domestic D', { terminal: 'Terminal 1', zone: 'Domestic' }),
  mirrored(YYZ, 'T1 Canada Level 2', 'Domestic D, level 2', { terminal: 'Terminal 1', zone: 'Domestic' }),
  mirrored(YYZ, 'T1 International', 'International E', { terminal: 'T1', zone: 'International' }),
  mirrored(YYZ, 'T1 United States', 'Transborder F', { terminal: '1', zone: 'US' }),
  mirrored(YYZ, 'T3 Canada', 'Domestic B', { terminal: 'Terminal 3', zone: 'Domestic' }),
  mirrored(YYZ, 'T3 International', 'International C', { terminal: 'T3', zone: 'International' }),
  mirrored(YYZ, 'T3 United States', 'Transborder A', { terminal: '3', zone: 'US' }),
]

export const YVR_OWN: Queue[] = [
  mirrored(YVR, 'Canada South', 'Domestic A'),
  mirrored(YVR, 'Canada North', 'Domestic B-C'),
  mirrored(YVR, 'International', 'International'),
  mirrored(YVR, 'United States', 'USA'),
]

export const YYC_OWN: Queue[] = [
  mirrored(YYC, 'Canada A', 'A'),
  mirrored(YYC, 'Canada B', 'C'),
  mirrored(YYC, 'United States', 'D - US'),
]

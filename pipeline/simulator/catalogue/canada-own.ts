import { YVR, YYC, YYZ } from './canada.ts'
import { type Queue, queue } from './queue.ts'

/** The airport's own name for a place that the screening authority tells of as well: one queue, two sources. */
function own(of: readonly Queue[], authority: string, checkpoint: string, words: Record<string, string> = {}): Queue {
  const told = of.find((one) => one.checkpoint === authority)
  if (!told) throw new Error(`the authority has no ${authority}`)
  const { iata, lane, scale, opens, closes } = told
  const terminal = iata === 'YYZ' ? told.terminal : ''
  return queue({ iata, terminal, checkpoint, lane, scale, opens, closes, fields: words, mirrors: told.id })
}

/** YYZ: terminals are spelt in three ways. */
export const YYZ_OWN: Queue[] = [
  own(YYZ, 'T1 Canada Level 3', 'Domestic D', { terminal: 'Terminal 1', zone: 'Domestic' }),
  own(YYZ, 'T1 Canada Level 2', 'Domestic D, level 2', { terminal: 'Terminal 1', zone: 'Domestic' }),
  own(YYZ, 'T1 International', 'International E', { terminal: 'T1', zone: 'International' }),
  own(YYZ, 'T1 United States', 'Transborder F', { terminal: '1', zone: 'US' }),
  own(YYZ, 'T3 Canada', 'Domestic B', { terminal: 'Terminal 3', zone: 'Domestic' }),
  own(YYZ, 'T3 International', 'International C', { terminal: 'T3', zone: 'International' }),
  own(YYZ, 'T3 United States', 'Transborder A', { terminal: '3', zone: 'US' }),
]

export const YVR_OWN: Queue[] = [
  own(YVR, 'Canada South', 'Domestic A'),
  own(YVR, 'Canada North', 'Domestic B-C'),
  own(YVR, 'International', 'International'),
  own(YVR, 'United States', 'USA'),
]

export const YYC_OWN: Queue[] = [
  own(YYC, 'Canada A', 'A'),
  own(YYC, 'Canada B', 'C'),
  own(YYC, 'United States', 'D - US'),
]

import { DAY_MS, HOUR_MS } from '../../../config/domain.ts'
import { hashOf, pick, uniform } from '../model/noise.ts'

/** An airspace flow program, or (rarely) a CTOP, with the shape of its area. */
export interface Flow {
  kind: 'afp' | 'ctop'
  name: string
  reason: string
  start: number
  end: number
  average_minutes: number
  shape: 'line' | 'polygon' | 'circle'
  points: [latitude: number, longitude: number][]
  center: string
}

const AREAS: Pick<Flow, 'name' | 'shape' | 'points' | 'center'>[] = [
  {
    name: 'FCAA05',
    shape: 'line',
    points: [
      [41.78, -80.32],
      [39.6, -79.9],
      [37.25, -80.1],
    ],
    center: 'ZNY',
  },
  {
    name: 'FCAJX1',
    shape: 'line',
    points: [
      [30.55, -79.68],
      [29.97, -82.02],
    ],
    center: 'ZJX',
  },
  {
    name: 'FCAA08',
    shape: 'polygon',
    points: [
      [40.1, -80.2],
      [40.1, -77.4],
      [38.2, -77.4],
      [38.2, -80.2],
    ],
    center: 'ZDC',
  },
  { name: 'FCADV2', shape: 'circle', points: [[39.86, -104.67]], center: 'ZDV' },
]

/** The flow programs in force at an instant: one or two on some afternoons, none on most days. */
export function flowsAt(seed: number, ms: number): Flow[] {
  const day = Math.floor(ms / DAY_MS)
  return AREAS.flatMap((area) => {
    const key = hashOf(`${seed} flow ${area.name}`)
    if (uniform(key, day) > 0.22) return []
    const start = day * DAY_MS + (15 + Math.floor(3 * uniform(key ^ 1, day))) * HOUR_MS
    const end = start + (3 + Math.floor(4 * uniform(key ^ 2, day))) * HOUR_MS - 60_000
    if (ms < start || ms > end) return []
    const kind = uniform(key ^ 3, day) < 0.1 ? 'ctop' : 'afp'
    const reason = pick(['thunderstorms', 'airport volume', 'other', 'equipment outage'], key ^ 4, day)
    return [{ ...area, kind, reason, start, end, average_minutes: Math.round(15 + 45 * uniform(key ^ 5, day)) }]
  })
}

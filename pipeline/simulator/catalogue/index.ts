import { YUL, YVR, YYC, YYZ } from './canada.ts'
import { CLT, CVG, DFW, HOU, IAH, MCO } from './mobi.ts'
import { EWR, JFK, LGA } from './new-york.ts'
import type { Queue } from './queue.ts'
import { ATL, JAX, SEA, SFO } from './single-airports.ts'

/** Every security queue of the simulated world. */
export const QUEUES: readonly Queue[] = [
  ...SEA,
  ...JFK,
  ...LGA,
  ...EWR,
  ...MCO,
  ...IAH,
  ...HOU,
  ...DFW,
  ...CLT,
  ...CVG,
  ...ATL,
  ...SFO,
  ...JAX,
  ...YYZ,
  ...YUL,
  ...YVR,
  ...YYC,
]

/** The queues of one airport, in the order in which its site lists them. */
export function queuesOf(iata: string): Queue[] {
  return QUEUES.filter((queue) => queue.iata === iata)
}

/** The airports that have queues. */
export const QUEUE_AIRPORTS: readonly string[] = [...new Set(QUEUES.map((queue) => queue.iata))]

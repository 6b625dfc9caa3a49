import { BWI, MIA, PHX } from './aci.ts'
import { YUL, YVR, YYC, YYZ } from './canada.ts'
import { DELTA } from './delta.ts'
import { CLT, CVG, DFW, HOU, IAH, MCO } from './mobi.ts'
import { EWR, JFK, LGA, NEW_YORK_HALLS } from './new-york.ts'
import type { Queue } from './queue.ts'
import { ATL, JAX, SEA, SFO } from './single-airports.ts'
import { CLE, DCA, DTW, IAD, PHL, PIT } from './us-east.ts'
import { DEN, ORD, PDX, SLC } from './us-west.ts'
import { BOS, LAS } from './zensors.ts'

/** The queues that each source tells of, in the order in which it lists them: a source is one line here. */
const OF_SOURCE: Record<string, readonly Queue[]> = {
  'sea-cwt': SEA,
  'panynj-graphql': [...JFK, ...LGA, ...EWR],
  'mobi-mco': MCO,
  'mobi-iah': IAH,
  'mobi-hou': HOU,
  'mobi-dfw': DFW,
  'mobi-clt': CLT,
  'mobi-cvg': CVG,
  'atl-html': ATL,
  'sfo-html': SFO,
  'jax-html': JAX,
  'catsa-html': [...YYZ, ...YUL, ...YVR, ...YYC],
  'sita-mia': MIA,
  'aci-phx': PHX,
  'bwi-json': BWI,
  'zensors-las': LAS,
  'zensors-bos': BOS,
  'den-flyfruition': DEN,
  'pit-azure': PIT,
  'dtw-skyfii': DTW,
  'mwaa-dca': DCA,
  'mwaa-iad': IAD,
  'ord-flychicago': ORD,
  'pdx-tsa': PDX,
  'slc-official': SLC,
  'phl-livereach': PHL,
  'cle-levels': CLE,
  'panynj-customs': NEW_YORK_HALLS,
  'delta-newshub': DELTA,
}

/** Sources whose airports have ninety days of history in the demo; the others begin with its first collection. */
const WITH_HISTORY =
  'sea-cwt panynj-graphql mobi-mco mobi-iah mobi-hou mobi-dfw mobi-clt mobi-cvg atl-html sfo-html jax-html catsa-html'.split(
    ' ',
  )

/** Every queue of the simulated world but the passport halls of CBP. */
export const QUEUES: readonly Queue[] = Object.values(OF_SOURCE).flat()

export const QUEUES_WITH_HISTORY: readonly Queue[] = WITH_HISTORY.flatMap((source) => OF_SOURCE[source] ?? [])

/** The queues that a source tells of, or those of one of its airports. */
export function queuesOf(source: string, iata?: string): Queue[] {
  return (OF_SOURCE[source] ?? []).filter((queue) => iata === undefined || queue.iata === iata)
}

/** The airports that have queues. */
export const QUEUE_AIRPORTS: readonly string[] = [...new Set(QUEUES.map((queue) => queue.iata))]

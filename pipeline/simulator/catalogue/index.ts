import { BWI, MIA, PHX } from './aci.ts'
import { AMS, ZRH_CHECKIN, ZRH_PASSPORT, ZRH_SECURITY } from './amsterdam-zurich.ts'
import { YUL, YVR, YYC, YYZ } from './canada.ts'
import { YVR_OWN, YYC_OWN, YYZ_OWN } from './canada-own.ts'
import { DELTA } from './delta.ts'
import { BER, DUS, FRA, HAM } from './germany.ts'
import { DUB, EDI, LHR_IMMIGRATION, LHR_SECURITY } from './isles.ts'
import { CLT, CVG, DFW, HOU, IAH, MCO } from './mobi.ts'
import { EWR, JFK, LGA, NEW_YORK_HALLS } from './new-york.ts'
import { ARN, CPH, GOT, HEL, OSL } from './nordics.ts'
import type { Queue } from './queue.ts'
import { ATL, JAX, SEA, SFO } from './single-airports.ts'
import { AENA } from './spain.ts'
import { CLE, DCA, DTW, IAD, PHL, PIT } from './us-east.ts'
import { BNA, CHS, CMH, MSP, OMA, SAT, STL } from './us-pages.ts'
import { DEN, ORD, PDX, SLC } from './us-west.ts'
import { BRU, DEL, DOH, FCO, ICN, IST, MUC, STR } from './world-pages.ts'
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
  'ams-schiphol': AMS,
  'lhr-pihub': LHR_SECURITY,
  'lhr-immigration': LHR_IMMIGRATION,
  'fra-waz': FRA,
  'dus-sitecore': DUS,
  ham: HAM,
  'ber-apls': BER,
  'cph-azure': CPH,
  'swedavia-keyless': [...ARN, ...GOT],
  'avinor-osl': OSL,
  'hel-finavia': HEL,
  'zrh-security': ZRH_SECURITY,
  'zrh-checkin': ZRH_CHECKIN,
  'zrh-passport': ZRH_PASSPORT,
  'dub-dap': DUB,
  'edi-blip': EDI,
  'aena-indoor': AENA,
  'msp-html': MSP,
  'bna-html': BNA,
  'oma-html': OMA,
  'sat-html': SAT,
  'chs-html': CHS,
  'cmh-html': CMH,
  'stl-html': STL,
  'yyz-pearson': YYZ_OWN,
  'yvr-catsa': YVR_OWN,
  'yyc-rms': YYC_OWN,
  'str-html': STR,
  'bru-html': BRU,
  'fco-html': FCO,
  'icn-keyless': ICN,
  'del-dial': DEL,
  'doh-xovis': DOH,
  ist: IST,
  'muc-passngr': MUC,
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

/** Passport queues of live feeds that have as much; the halls of CBP have theirs besides. */
export const PASSPORT_QUEUES_WITH_HISTORY: readonly Queue[] = OF_SOURCE['zrh-passport'] ?? []

export const QUEUES_WITH_HISTORY: readonly Queue[] = WITH_HISTORY.flatMap((source) => OF_SOURCE[source] ?? [])

/** The queues that a source tells of, or those of one of its airports. */
export function queuesOf(source: string, iata?: string): Queue[] {
  return (OF_SOURCE[source] ?? []).filter((queue) => iata === undefined || queue.iata === iata)
}

/** The airports that have queues. */
export const QUEUE_AIRPORTS: readonly string[] = [...new Set(QUEUES.map((queue) => queue.iata))]

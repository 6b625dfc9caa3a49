import { DEL, DOH, ICN, IST } from './asia.ts'
import { YUL, YVR, YVR_OWN, YYC, YYC_OWN, YYZ, YYZ_OWN } from './canada.ts'
import {
  AENA,
  AMS,
  ARN,
  BER,
  BRU,
  CPH,
  DUB,
  DUS,
  EDI,
  FCO,
  FRA,
  GOT,
  HAM,
  HEL,
  LHR_IMMIGRATION,
  LHR_SECURITY,
  MUC,
  OSL,
  STR,
  ZRH_CHECKIN,
  ZRH_PASSPORT,
  ZRH_SECURITY,
} from './europe.ts'
import type { Queue } from './queue.ts'
import {
  ATL,
  BNA,
  CHS,
  CLE,
  CMH,
  DCA,
  DEN,
  DTW,
  EWR,
  IAD,
  JAX,
  JFK,
  LGA,
  MSP,
  NEW_YORK_HALLS,
  OMA,
  ORD,
  PDX,
  PHL,
  PIT,
  SAT,
  SEA,
  SFO,
  SLC,
  STL,
} from './us-airports.ts'
import { BOS, BWI, CLT, CVG, DELTA, DFW, HOU, IAH, LAS, MCO, MIA, PHX } from './us-vendors.ts'

/** The queues of each source, in the order in which it lists them. A new source is one line here. */
const QUEUES_BY_SOURCE: Record<string, readonly Queue[]> = {
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

/** Sources whose airports have ninety days of history in the demo; the history of the others begins with the first collection. */
const SOURCES_WITH_HISTORY =
  'sea-cwt panynj-graphql mobi-mco mobi-iah mobi-hou mobi-dfw mobi-clt mobi-cvg atl-html sfo-html jax-html catsa-html'.split(
    ' ',
  )

/** Every queue of the simulated world except CBP's passport halls. */
export const QUEUES: readonly Queue[] = Object.values(QUEUES_BY_SOURCE).flat()

/** The passport queues of live feeds with ninety days of history, besides CBP's halls. */
export const PASSPORT_QUEUES_WITH_HISTORY: readonly Queue[] = QUEUES_BY_SOURCE['zrh-passport'] ?? []

/** The security queues with ninety days of history. */
export const QUEUES_WITH_HISTORY: readonly Queue[] = SOURCES_WITH_HISTORY.flatMap(
  (source) => QUEUES_BY_SOURCE[source] ?? [],
)

/** The queues of a source, or those of one of its airports. */
export function queuesOf(source: string, iata?: string): Queue[] {
  return (QUEUES_BY_SOURCE[source] ?? []).filter((queue) => iata === undefined || queue.iata === iata)
}

/** The airports that have queues. */
export const QUEUE_AIRPORTS: readonly string[] = [...new Set(QUEUES.map((queue) => queue.iata))]

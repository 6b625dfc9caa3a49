import { queuesOf } from '../../../pipeline/simulator/catalogue/index.ts'
import { FEEDS } from '../../../pipeline/simulator/sites/index.ts'
import { fixture } from './context.ts'
import { type Published, payloadOf } from './payload-of.ts'

/** Hand-written payloads, of sources that are not simulated as their collector reads them. */
const WRITTEN: [source: string, fixture: string, iata: string | null][] = [
  ['cbp-awt', 'cbp.json', 'ATL'],
  ['cbp-awt', 'cbp.csv', 'HNL'],
  ['atl-html', 'atl.html', 'ATL'],
  ['lax-html', 'lax.html', 'LAX'],
  ['fromthetraytable', 'tray-table.json', 'DAL'],
  ['qsensor', 'qsensor.html', 'LAX'],
  ['waitport', 'waitport.json', 'CPH'],
  ['panynj-rest', 'panynj-rest.json', 'LGA'],
  ['locuslabs', 'locuslabs.json', 'DFW'],
  ['swedavia-keyed', 'swedavia-keyed.json', 'ARN'],
  ['icn-datagokr', 'icn-datagokr.json', 'ICN'],
  ['kac-process-time', 'kac-process-time.json', null],
  ['kac-congestion', 'kac-congestion.json', null],
  ['syd', 'syd.json', 'SYD'],
  ['faa-nas-status', 'faa/status-busy.xml', null],
  ['faa-nas-status', 'faa/status-damaged.xml', null],
  ['faa-airport-events', 'faa/airport-events.json', null],
  ['faa-enroute-events', 'faa/enroute-events.json', null],
  ['awc-metar', 'awc/metar.json', null],
  ['awc-metar', 'awc/metar-before-2025-09.json', null],
  ['awc-taf', 'awc/taf.json', null],
  ['nws-alerts', 'nws/alerts.json', null],
  ['nws-zones', 'nws/point.json', 'JFK'],
  ['openstreetmap', 'osm.json', 'LHR'],
]

const STATES: Published[] = [7, 'closed', 12, 'unknown', 31, 0]

/** The payload of a simulated source with queues of its first airport in every state. */
function simulated(source: string): [source: string, name: string, iata: string | null, body: string] {
  const queues = queuesOf(source)
  const { iata } = queues[0]!
  const published = queues.map((queue, index) => (queue.iata === iata ? STATES[index % STATES.length]! : 'absent'))
  const body = payloadOf(source, published)
  return [source, `${source}.${body.startsWith('<') ? 'html' : 'json'}`, iata, body]
}

// The collector of Atlanta reads what the script of the page makes of it.
export const SIMULATED_SOURCES = [...new Set(FEEDS.map(({ source }) => source))].filter(
  (source) => source !== 'atl-html',
)

/** Payloads: at least one per collector, and one for each member of a family with a format of its own. */
export const PAYLOAD_CASES: [source: string, name: string, iata: string | null, body: string][] = [
  ...WRITTEN.map(([source, name, iata]): [string, string, string | null, string] => [
    source,
    name,
    iata,
    fixture(name),
  ]),
  ...SIMULATED_SOURCES.map(simulated),
]

/** Those of waits. */
export const READING_CASES = PAYLOAD_CASES.filter(([source]) => !/^(faa-|awc-|nws-|openstreetmap)/.test(source))
export const JSON_CASES = READING_CASES.filter(([, name]) => name.endsWith('.json'))

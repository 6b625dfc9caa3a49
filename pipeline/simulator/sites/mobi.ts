import { HOUR_MS } from '../../../config/domain.ts'
import type { Queue } from '../catalogue/queue.ts'
import { hashOf, smoothNoise } from '../model/noise.ts'
import type { PublishedState } from '../model/queues.ts'
import {
  expectedReadings,
  html,
  json,
  minuteOf,
  postingsOf,
  type Site,
  type SiteContext,
  type SiteRequest,
  text,
} from './site.ts'

interface Api {
  host: string
  path: string
  iata: string
  /** Name of the list in the answer. */
  rows: string
}

/** The vendor's APIs, on one host per airport. */
export const MOBI_APIS: Api[] = [
  { host: 'api.goaa.aero', path: '/wait-times/checkpoint/MCO', iata: 'MCO', rows: 'wait_times' },
  { host: 'api.houstonairports.mobi', path: '/wait-times/checkpoint/iah', iata: 'IAH', rows: 'wait_times' },
  { host: 'api.houstonairports.mobi', path: '/wait-times/checkpoint/hou', iata: 'HOU', rows: 'wait_times' },
  { host: 'api.dfwairport.mobi', path: '/wait-times/checkpoint/DFW', iata: 'DFW', rows: 'wait_times' },
  { host: 'api.cltairport.mobi', path: '/wait-times/checkpoint/CLT', iata: 'CLT', rows: 'wait_times' },
  { host: 'api.cvgairport.mobi', path: '/checkpoints/CVG', iata: 'CVG', rows: 'checkpoints' },
]

/** Six airports of one vendor: JSON with seconds, behind a key and a version that are replaced regularly. */
export const mobi: Site = {
  hosts: [...new Set(MOBI_APIS.map((api) => api.host))],
  answer: (request, context) => {
    const api = MOBI_APIS.find(({ host, path }) => host === request.host && path === request.path)
    if (!api) return null
    // A browser sends a preflight request, because the API has another origin.
    if (request.method === 'OPTIONS') return text('', 204)
    if (!isAuthorized(request, context))
      return json({ status: { code: 401, message: 'Unauthorized' }, data: null }, 401)
    const at = minuteOf(context.now)
    const source = `mobi-${api.iata.toLowerCase()}`
    const postings = postingsOf(source, context)
    const rows = postings.map(({ queue, published }) => row(queue, published, at))
    if (api.iata === 'IAH') {
      const minutes = customsMinutes(context.queues.seed, at)
      rows.push(customs(minutes, at))
      postings.push({ source, queue: CUSTOMS, published: { state: 'open', minutes } })
    }
    const answer = { status: { code: 200, message: 'OK' }, data: { [api.rows]: rows } }
    return { ...json(answer), expected: expectedReadings(postings, at) }
  },
}

function isAuthorized({ headers, host }: SiteRequest, { keysOf }: SiteContext): boolean {
  const { key, version } = keysOf(host)
  return headers['api-key'] === key && headers['api-version'] === version
}

function row({ iata, lane, fields, opens, closes }: Queue, published: PublishedState, at: number): object {
  const seconds = published.minutes === null ? null : published.minutes * 60
  const hour = (hours: number) => `${String(Math.floor(hours)).padStart(2, '0')}:${hours % 1 === 0 ? '00' : '30'}`
  return {
    id: iata === 'DFW' ? `${fields.name}_${fields.lane}` : String(hashOf(`${fields.name} ${lane}`) % 10_000),
    name: fields.name,
    lane: fields.lane,
    // Orlando and Houston omit the hours.
    openTime: iata === 'DFW' || iata === 'CLT' ? hour(opens) : null,
    closeTime: iata === 'DFW' || iata === 'CLT' ? hour(closes) : null,
    isOpen: published.state !== 'closed',
    isDisplayable: published.state !== 'hidden',
    // A row that is not shown keeps the number of when it was last shown.
    waitSeconds: published.state === 'hidden' ? 2_040 : seconds,
    minWaitSeconds: null,
    maxWaitSeconds: null,
    lastUpdatedTimestamp: at / 1_000,
    attributes: { general: lane === 'standard', preCheck: lane === 'precheck' },
    predictions: [],
  }
}

const CUSTOMS: Queue = {
  id: "IAH//Int'l Arrivals Customs Checkpoint/all/immigration",
  source: 'mobi-iah',
  kind: 'immigration',
  iata: 'IAH',
  terminal: '',
  checkpoint: "Int'l Arrivals Customs Checkpoint",
  lane: 'all',
  scale: 14,
  opens: 0,
  closes: 24,
  fields: {},
  may_hide: false,
  mirrors: null,
}

const customsMinutes = (seed: number, at: number) =>
  Math.round(16 + 12 * smoothNoise(hashOf(`${seed} IAH customs`), at / HOUR_MS))

/** Houston lists its passport hall among the checkpoints; there the attributes are a list. */
function customs(minutes: number, at: number): object {
  return {
    id: 'fis',
    name: CUSTOMS.checkpoint,
    lane: 'General',
    openTime: null,
    closeTime: null,
    isOpen: true,
    isDisplayable: true,
    waitSeconds: minutes * 60,
    minWaitSeconds: null,
    maxWaitSeconds: null,
    lastUpdatedTimestamp: at / 1_000,
    attributes: ['fis'],
    predictions: [],
  }
}

/** The airports' own sites, and the APIs that their scripts request. */
const PAGES: Record<string, string[]> = {
  'flymco.com': ['MCO'],
  'www.fly2houston.com': ['IAH', 'HOU'],
  'www.dfwairport.com': ['DFW'],
  'www.cltairport.com': ['CLT'],
  'www.cvgairport.com': ['CVG'],
}

/** A script bundle without keys. */
const FRAMEWORK = '_next/static/chunks/framework-2c79e2a64abdb08b.js'

/** The name of a script bundle changes with its content, as build tools do it. */
const bundleOf = (host: string, key: string) => `_next/static/chunks/main-${hashOf(host + key).toString(16)}.js`

/** Pages whose script bundle contains the vendor's current key and version, and uses them when a browser runs it. */
export const mobiPages: Site = {
  hosts: Object.keys(PAGES),
  answer: ({ host, path }, { keysOf }) => {
    const apis = MOBI_APIS.filter(({ iata }) => PAGES[host]?.includes(iata))
    const api = apis[0]
    if (!api) return null
    const { key, version } = keysOf(api.host)
    const bundle = bundleOf(host, key)
    if (path === '/') return html(pageOf(host, bundle))
    if (path === `/${FRAMEWORK}`) return text('self.__NEXT_P=self.__NEXT_P||[];\n', 200, 'application/javascript')
    if (path === `/${bundle}`)
      return text(
        scriptOf(
          host,
          apis.map(({ host: where, path: what }) => where + what),
          key,
          version,
        ),
        200,
        'application/javascript',
      )
    return null
  },
}

/** Addresses are relative, so that they work on the host itself and below its name in the simulated world. */
function pageOf(host: string, bundle: string): string {
  return `<!doctype html><html lang="en"><head><title>${host}</title></head><body>
<main id="__next"><h1>Security wait times</h1><ul id="waits"></ul></main>
<script src="${FRAMEWORK}"></script><script src="${bundle}"></script>
</body></html>`
}

function scriptOf(host: string, apis: string[], key: string, version: string): string {
  return `(self.webpackChunk_N_E=self.webpackChunk_N_E||[]).push([[179],{4021:function(){
var maps={clientId:"a91c7704",clientSecret:"not-for-this-api-${hashOf(host).toString(16)}"};
var waits={headers:{"api-key":"${key}","api-version":"${version}",Accept:"application/json"}};
var base=location.pathname.indexOf("/${host}/")===0?location.origin+"/":"https://";
${JSON.stringify(apis)}.forEach(function(api){
fetch(base+api,{headers:waits.headers}).then(function(answer){return answer.json()}).then(function(body){
var list=body.data&&(body.data.wait_times||body.data.checkpoints)||[];
list.forEach(function(row){var line=document.createElement("li");line.textContent=row.name+" "+row.lane+": "+row.waitSeconds;
document.getElementById("waits").appendChild(line)})})});
}}]);self.webpackChunk_N_E.forEach(function(chunk){for(var id in chunk[1])chunk[1][id]()});
`
}

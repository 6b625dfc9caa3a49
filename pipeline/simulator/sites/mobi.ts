import { HOUR_MS } from '../../../config/domain.ts'
import { type Queue, queue } from '../catalogue/queue.ts'
import { hashOf, smoothNoise } from '../model/noise.ts'
import type { PublishedState } from '../model/queues.ts'
import {
  expectedReadings,
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

/** The vendor's APIs, each on a host of its airport. */
export const MOBI_APIS: Api[] = [
  { host: 'api.goaa.aero', path: '/wait-times/checkpoint/MCO', iata: 'MCO', rows: 'wait_times' },
  { host: 'api.houstonairports.mobi', path: '/wait-times/checkpoint/iah', iata: 'IAH', rows: 'wait_times' },
  { host: 'api.houstonairports.mobi', path: '/wait-times/checkpoint/hou', iata: 'HOU', rows: 'wait_times' },
  { host: 'api.dfwairport.mobi', path: '/wait-times/checkpoint/DFW', iata: 'DFW', rows: 'wait_times' },
  { host: 'api.cltairport.mobi', path: '/wait-times/checkpoint/CLT', iata: 'CLT', rows: 'wait_times' },
  { host: 'api.cvgairport.mobi', path: '/checkpoints/CVG', iata: 'CVG', rows: 'checkpoints' },
]

/** Six airports of one vendor: JSON in seconds behind a key and a version that rotate. */
export const mobi: Site = {
  hosts: [...new Set(MOBI_APIS.map((api) => api.host))],
  answer: (request, context) => {
    const api = MOBI_APIS.find(({ host, path }) => host === request.host && path === request.path)
    if (!api) return null
    // A browser on the site's own page asks first, since the API is another origin.
    if (request.method === 'OPTIONS') return text('', 204)
    if (!accepted(request, context)) return json({ status: { code: 401, message: 'Unauthorized' }, data: null }, 401)
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

function accepted({ headers, host }: SiteRequest, { keysOf }: SiteContext): boolean {
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
    // Orlando and Houston leave the hours out.
    openTime: iata === 'DFW' || iata === 'CLT' ? hour(opens) : null,
    closeTime: iata === 'DFW' || iata === 'CLT' ? hour(closes) : null,
    isOpen: published.state !== 'closed',
    isDisplayable: published.state !== 'hidden',
    // A row that is not shown still holds the number it had when it was last shown.
    waitSeconds: published.state === 'hidden' ? 2_040 : seconds,
    minWaitSeconds: null,
    maxWaitSeconds: null,
    lastUpdatedTimestamp: at / 1_000,
    attributes: { general: lane === 'standard', preCheck: lane === 'precheck' },
    predictions: [],
  }
}

const CUSTOMS = queue({
  kind: 'immigration',
  iata: 'IAH',
  terminal: '',
  checkpoint: "Int'l Arrivals Customs Checkpoint",
  lane: 'all',
  fields: {},
})

const customsMinutes = (seed: number, at: number) =>
  Math.round(16 + 12 * smoothNoise(hashOf(`${seed} IAH customs`), at / HOUR_MS))

/** Houston lists its passport hall among the checkpoints; its attributes are a list. */
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

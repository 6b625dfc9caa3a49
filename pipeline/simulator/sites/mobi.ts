import { HOUR_MS } from '../../../config/domain.ts'
import { type Queue, queue } from '../catalogue/queue.ts'
import { drift, keyOf } from '../model/noise.ts'
import type { Posting } from '../model/queues.ts'
import { emissions, json, minuteOf, postsOf, type Site, type SiteRequest, type Stage, text } from './site.ts'

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
  answer: (request, stage) => {
    const api = MOBI_APIS.find(({ host, path }) => host === request.host && path === request.path)
    if (!api) return null
    // A browser on the site's own page asks first, since the API is another origin.
    if (request.method === 'OPTIONS') return text('', 204)
    if (!accepted(request, stage)) return json({ status: { code: 401, message: 'Unauthorized' }, data: null }, 401)
    const at = minuteOf(stage.now)
    const source = `mobi-${api.iata.toLowerCase()}`
    const posts = postsOf(source, stage)
    const rows = posts.map(({ queue, posting }) => row(queue, posting, at))
    if (api.iata === 'IAH') {
      const minutes = customsMinutes(stage.world.seed, at)
      rows.push(customs(minutes, at))
      posts.push({ source, queue: CUSTOMS, posting: { says: 'minutes', minutes } })
    }
    const answer = { status: { code: 200, message: 'OK' }, data: { [api.rows]: rows } }
    return { ...json(answer), emits: emissions(posts, at) }
  },
}

function accepted({ headers, host }: SiteRequest, { keysOf }: Stage): boolean {
  const { key, version } = keysOf(host)
  return headers['api-key'] === key && headers['api-version'] === version
}

function row({ iata, lane, words, opens, closes }: Queue, posting: Posting, at: number): object {
  const seconds = posting.minutes === null ? null : posting.minutes * 60
  const hour = (hours: number) => `${String(Math.floor(hours)).padStart(2, '0')}:${hours % 1 === 0 ? '00' : '30'}`
  return {
    id: iata === 'DFW' ? `${words.name}_${words.lane}` : String(keyOf(`${words.name} ${lane}`) % 10_000),
    name: words.name,
    lane: words.lane,
    // Orlando and Houston leave the hours out.
    openTime: iata === 'DFW' || iata === 'CLT' ? hour(opens) : null,
    closeTime: iata === 'DFW' || iata === 'CLT' ? hour(closes) : null,
    isOpen: posting.says !== 'closed',
    isDisplayable: posting.says !== 'hidden',
    // A row that is not shown still holds the number it had when it was last shown.
    waitSeconds: posting.says === 'hidden' ? 2_040 : seconds,
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
  words: {},
})

const customsMinutes = (seed: number, at: number) =>
  Math.round(16 + 12 * drift(keyOf(`${seed} IAH customs`), at / HOUR_MS))

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

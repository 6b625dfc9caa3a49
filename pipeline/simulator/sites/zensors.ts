import { z } from 'zod'
import { hashOf, uniform } from '../model/noise.ts'
import {
  expectedReadings,
  html,
  json,
  type Posting,
  postingsOf,
  type Site,
  type SiteContext,
  type SiteRequest,
  text,
} from './site.ts'

const HOST = 'embed.zensors.live'
const PAGES: Record<string, { path: string; iata: string }> = {
  'www.harryreidairport.com': { path: '/security-wait-times', iata: 'LAS' },
  'www.massport.com': { path: '/logan-airport', iata: 'BOS' },
}
const WidgetRequest = z.object({
  0: z.object({ journey: z.string(), slug: z.string(), domainSlug: z.enum(['LAS', 'BOS']), token: z.string() }),
})

/** LAS and BOS: one request per checkpoint, with the slug and token of the frame on the airport's page; half minutes. */
export const zensors: Site = {
  hosts: [HOST, ...Object.keys(PAGES)],
  answer: (request, context) => {
    const page = PAGES[request.host]
    if (page) return request.path === page.path ? html(pageOf(page.iata, context)) : null
    if (/^\/(LAS|BOS)\/[\w-]+\/waitTimeExplorer$/.test(request.path))
      return html('<!doctype html><div id="root"></div>')
    if (request.path !== '/api/embeddable-widget/trpc/waitTimeExplorer.update') return null
    const query = requestIn(request)
    if (!query) return json([{ error: { json: { message: 'Invalid input', data: { code: 'BAD_REQUEST' } } } }], 400)
    const { slug, token } = frameOf(query.domainSlug, context)
    if (query.slug !== slug || query.token !== token)
      return json([{ error: { json: { message: 'UNAUTHORIZED', data: { code: 'UNAUTHORIZED' } } } }], 401)
    const source = `zensors-${query.domainSlug.toLowerCase()}`
    const postings = postingsOf(source, context).filter(({ queue }) => queue.fields.journey === query.journey)
    if (postings.length === 0) return text('Not Found\n', 404)
    // The feed has a new time twice a minute.
    const at = Math.floor(context.now / 30_000) * 30_000
    // A lane without a reading is omitted.
    const paths = postings
      .filter(({ published }) => published.state !== 'unknown')
      .map((posting) => [posting.queue.lane, pathOf(posting, at)])
    return {
      ...json([{ result: { data: { paths: Object.fromEntries(paths) } } }]),
      expected: postings.flatMap((posting) => expectedReadings([posting], at, () => waitOf(halvesOf(posting, at)))),
    }
  },
}

const waitOf = (wait_minutes: number) => ({ wait_minutes, wait_minutes_low: null, wait_minutes_high: null })

function requestIn({ query }: SiteRequest) {
  try {
    return WidgetRequest.parse(JSON.parse(query.get('input') ?? ''))[0]
  } catch {
    return null
  }
}

/** The name of the frame is constant; its token is new every week. */
function frameOf(iata: string, { keysOf }: SiteContext): { slug: string; token: string } {
  return { slug: `${iata.toLowerCase()}-checkpoints`, token: keysOf(`${HOST}/${iata}`).key }
}

function pageOf(iata: string, context: SiteContext): string {
  const { slug, token } = frameOf(iata, context)
  return `<!doctype html><html lang="en"><head><title>${iata}</title></head><body><h1>Security wait times</h1>
<iframe title="Wait times" src="https://${HOST}/${iata}/${slug}/waitTimeExplorer?token=${token}"></iframe></body></html>`
}

/** Half minutes that round to the model's minutes; a closed lane still shows a small number. */
function halvesOf({ queue, published }: Posting, at: number): number {
  if (published.minutes === null) return 1.5
  return Math.max(0, published.minutes - (uniform(hashOf(`${queue.id} half`), Math.floor(at / 60_000)) < 0.5 ? 0.5 : 0))
}

function pathOf(posting: Posting, at: number): object {
  const { queue, published } = posting
  return {
    name: queue.lane === 'precheck' ? 'TSA PreCheck®' : 'Standard',
    verified: true,
    open: published.state !== 'closed',
    waitTime: { timestamp: at, value: halvesOf(posting, at) },
  }
}

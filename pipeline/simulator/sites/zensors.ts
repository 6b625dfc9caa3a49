import { z } from 'zod'
import { chance, keyOf } from '../model/noise.ts'
import { emissions, html, json, type Post, postsOf, type Site, type SiteRequest, type Stage, text } from './site.ts'

const HOST = 'embed.zensors.live'
const PAGES: Record<string, { path: string; iata: string }> = {
  'www.harryreidairport.com': { path: '/security-wait-times', iata: 'LAS' },
  'www.massport.com': { path: '/logan-airport', iata: 'BOS' },
}
const Question = z.object({
  0: z.object({ journey: z.string(), slug: z.string(), domainSlug: z.enum(['LAS', 'BOS']), token: z.string() }),
})

/** LAS and BOS: a question a checkpoint, with the slug and token of the frame on the airport's page; minutes in halves. */
export const zensors: Site = {
  hosts: [HOST, ...Object.keys(PAGES)],
  answer: (request, stage) => {
    const page = PAGES[request.host]
    if (page) return request.path === page.path ? html(pageOf(page.iata, stage)) : null
    if (/^\/(LAS|BOS)\/[\w-]+\/waitTimeExplorer$/.test(request.path))
      return html('<!doctype html><div id="root"></div>')
    if (request.path !== '/api/embeddable-widget/trpc/waitTimeExplorer.update') return null
    const asked = questionIn(request)
    if (!asked) return json([{ error: { json: { message: 'Invalid input', data: { code: 'BAD_REQUEST' } } } }], 400)
    const { slug, token } = frameOf(asked.domainSlug, stage)
    if (asked.slug !== slug || asked.token !== token)
      return json([{ error: { json: { message: 'UNAUTHORIZED', data: { code: 'UNAUTHORIZED' } } } }], 401)
    const source = `zensors-${asked.domainSlug.toLowerCase()}`
    const posts = postsOf(source, stage).filter(({ queue }) => queue.words.journey === asked.journey)
    if (posts.length === 0) return text('Not Found\n', 404)
    // A time of its own twice a minute.
    const at = Math.floor(stage.now / 30_000) * 30_000
    // A lane of which nothing is known is not in the answer.
    const paths = posts
      .filter(({ posting }) => posting.says !== 'silent')
      .map((post) => [post.queue.lane, pathOf(post, at)])
    return {
      ...json([{ result: { data: { paths: Object.fromEntries(paths) } } }]),
      emits: posts.flatMap((post) => emissions([post], at, () => waitOf(halvesOf(post, at)))),
    }
  },
}

const waitOf = (wait_minutes: number) => ({ wait_minutes, wait_minutes_low: null, wait_minutes_high: null })

function questionIn({ query }: SiteRequest) {
  try {
    return Question.parse(JSON.parse(query.get('input') ?? ''))[0]
  } catch {
    return null
  }
}

/** The frame's name stays; its token is new every week. */
function frameOf(iata: string, { keysOf }: Stage): { slug: string; token: string } {
  return { slug: `${iata.toLowerCase()}-checkpoints`, token: keysOf(`${HOST}/${iata}`).key }
}

function pageOf(iata: string, stage: Stage): string {
  const { slug, token } = frameOf(iata, stage)
  return `<!doctype html><html lang="en"><head><title>${iata}</title></head><body><h1>Security wait times</h1>
<iframe title="Wait times" src="https://${HOST}/${iata}/${slug}/waitTimeExplorer?token=${token}"></iframe></body></html>`
}

/** In halves of a minute, such as round to the minutes; a closed lane still shows a small number. */
function halvesOf({ queue, posting }: Post, at: number): number {
  if (posting.minutes === null) return 1.5
  return Math.max(0, posting.minutes - (chance(keyOf(`${queue.id} half`), Math.floor(at / 60_000)) < 0.5 ? 0.5 : 0))
}

function pathOf(post: Post, at: number): object {
  const { queue, posting } = post
  return {
    name: queue.lane === 'precheck' ? 'TSA PreCheck®' : 'Standard',
    verified: true,
    open: posting.says !== 'closed',
    waitTime: { timestamp: at, value: halvesOf(post, at) },
  }
}

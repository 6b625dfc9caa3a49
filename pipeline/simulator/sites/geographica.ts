import { AENA_AIRPORTS } from '../catalogue/spain.ts'
import { keyOf } from '../model/noise.ts'
import { secondsOf, sometimes, toTheSecond, withoutClosed } from './published-waits.ts'
import { emissions, json, minuteOf, type Post, postsOf, type Site, type Stage, text } from './site.ts'

const HOLDS_MS = 10 * 60_000
const FORGOTTEN_MS = 8 * 3_600_000

/**
 * AENA's airports by ICAO code, asked only from its own page: seconds by access control until they expire. A 0 is "not
 * known", and beside it stands a default that is no measurement.
 */
export const geographica: Site = {
  hosts: ['aena-indoor-read-api.geographica.com'],
  answer: ({ path, headers }, stage) => {
    const airport = AENA_AIRPORTS[path.match(/^\/api\/v1\/airports\/([A-Z]{4})\/accesscontrols$/)?.[1] ?? '']
    if (airport === undefined) return null
    const page = 'https://www.aena.es'
    if (headers.origin !== page || !headers.referer?.startsWith(page)) return text('Forbidden', 403)
    const posts = toTheSecond(withoutClosed(postsOf('aena-indoor', stage, airport.iata)), stage)
    const known = posts.filter((post) => secondsOf(post) !== 0 && expiryOf(post, stage) >= stage.asked)
    return { ...json(posts.map((post, at) => row(post, at, stage))), emits: emissions(known, null) }
  },
}

/** A number holds for ten minutes; some were last renewed hours ago. */
function expiryOf({ queue }: Post, stage: Stage): number {
  const forgotten = sometimes(stage, `${queue.id} forgotten`, 0.01, 3 * HOLDS_MS)
  return minuteOf(stage.now) + HOLDS_MS - (forgotten ? FORGOTTEN_MS : 0)
}

function row(post: Post, at: number, stage: Stage): object {
  const { id = '' } = post.queue.words
  return {
    id,
    idpoi: String(101 + at),
    last_wait_s: secondsOf(post) ?? 0,
    default_wait_s: 120 + 60 * (keyOf(id) % 5),
    expires: new Date(expiryOf(post, stage)).toISOString(),
  }
}

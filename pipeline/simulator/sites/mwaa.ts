import type { Posting } from '../model/queues.ts'
import { sometimes } from './published-waits.ts'
import { emissions, html, json, type Post, postsOf, type Site, type Stage } from './site.ts'

const SOURCES: Record<string, string> = { 'www.flyreagan.com': 'mwaa-dca', 'www.flydulles.com': 'mwaa-iad' }
/** Dulles often has nothing to tell. */
const EMPTY_SHARE: Record<string, number> = { 'www.flyreagan.com': 0.005, 'www.flydulles.com': 0.1 }

/** DCA and IAD: one address that is a page for people and JSON for its own script; waits in words. */
export const mwaa: Site = {
  hosts: Object.keys(SOURCES),
  answer: ({ host, path, headers }, stage) => {
    const source = SOURCES[host]
    if (!source || path !== '/security-wait-times') return null
    if (headers['x-requested-with'] !== 'XMLHttpRequest')
      return html('<!doctype html><title>Security wait times</title><div id="resp-table-body"></div>')
    // PHP writes a map without entries as a list.
    if (sometimes(stage, `${host} empty`, EMPTY_SHARE[host] ?? 0))
      return json({ response: { header: HEADER, res: [] } })
    const posts = postsOf(source, stage)
    const places = [...new Set(posts.map(({ queue }) => queue.checkpoint))]
    const entries = places.map((place, at) => [
      String.fromCharCode(65 + at),
      entry(
        place,
        posts.filter(({ queue }) => queue.checkpoint === place),
        stage,
      ),
    ])
    return {
      ...json({ response: { header: HEADER, res: Object.fromEntries(entries) } }),
      emits: emissions(posts, null, waitOf),
    }
  },
}

const HEADER = 'Checkpoint Wait Times'

/** The ends of a range that is posted instead of a number: below five minutes, and for two numbers of three. */
function waitOf(minutes: number) {
  if (minutes < 5) return { wait_minutes: null, wait_minutes_low: 0, wait_minutes_high: 5 }
  if (minutes % 3 === 0) return { wait_minutes: minutes, wait_minutes_low: null, wait_minutes_high: null }
  return { wait_minutes: null, wait_minutes_low: minutes - 1, wait_minutes_high: minutes + 2 }
}

function wordOf(posting: Posting, shut: string): string {
  if (posting.says !== 'minutes') return posting.says === 'closed' ? shut : 'Not Available'
  const { wait_minutes, wait_minutes_low, wait_minutes_high } = waitOf(posting.minutes)
  if (wait_minutes_low === 0) return '< 5 mins'
  return wait_minutes === null ? `${wait_minutes_low}-${wait_minutes_high} mins` : `${wait_minutes} mins`
}

/** A checkpoint with its lanes; a closed one says when it opens, or has a flag beside the number it had. */
function entry(place: string, posts: Post[], stage: Stage): object {
  const [location, gates = ''] = place.split(', ')
  const lanes = posts.flatMap(({ queue, posting }) => {
    const standard = queue.lane === 'standard'
    const flagged = posting.says === 'closed' && sometimes(stage, `flagged ${queue.id}`, 0.5)
    const word = wordOf(posting, flagged ? '6-9 mins' : `Opens ${Math.floor(queue.opens)}am`)
    return [
      [standard ? 'waittime' : 'pre', word],
      [standard ? 'isDisabled' : 'pre_disabled', flagged ? 1 : 0],
    ]
  })
  const named = { location: gates === '' && location === 'Terminal 1' ? 'Terminal 1( )' : location, gates }
  return { ...named, ...Object.fromEntries(lanes), isMulti: posts.length > 1 ? 1 : 0 }
}

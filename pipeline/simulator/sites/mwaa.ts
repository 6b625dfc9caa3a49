import type { PublishedState } from '../model/queues.ts'
import { sometimes } from './published-waits.ts'
import { expectedReadings, html, json, type Posting, postingsOf, type Site, type SiteContext } from './site.ts'

const SOURCES: Record<string, string> = { 'www.flyreagan.com': 'mwaa-dca', 'www.flydulles.com': 'mwaa-iad' }
/** Share of the time without waits; Dulles often has none. */
const EMPTY_SHARE: Record<string, number> = { 'www.flyreagan.com': 0.005, 'www.flydulles.com': 0.1 }

/** DCA and IAD: one address that serves a page to people and JSON to its own script; waits as text. */
export const mwaa: Site = {
  hosts: Object.keys(SOURCES),
  answer: ({ host, path, headers }, context) => {
    const source = SOURCES[host]
    if (!source || path !== '/security-wait-times') return null
    if (headers['x-requested-with'] !== 'XMLHttpRequest')
      return html('<!doctype html><title>Security wait times</title><div id="resp-table-body"></div>')
    // PHP serialises an empty map as a list.
    if (sometimes(context, `${host} empty`, EMPTY_SHARE[host] ?? 0))
      return json({ response: { header: HEADER, res: [] } })
    const postings = postingsOf(source, context)
    const places = [...new Set(postings.map(({ queue }) => queue.checkpoint))]
    const entries = places.map((place, at) => [
      String.fromCharCode(65 + at),
      entry(
        place,
        postings.filter(({ queue }) => queue.checkpoint === place),
        context,
      ),
    ])
    return {
      ...json({ response: { header: HEADER, res: Object.fromEntries(entries) } }),
      expected: expectedReadings(postings, null, waitOf),
    }
  },
}

const HEADER = 'Checkpoint Wait Times'

/** The published form of a wait: a range below five minutes and for two of three numbers, else the number. */
function waitOf(minutes: number) {
  if (minutes < 5) return { wait_minutes: null, wait_minutes_low: 0, wait_minutes_high: 5 }
  if (minutes % 3 === 0) return { wait_minutes: minutes, wait_minutes_low: null, wait_minutes_high: null }
  return { wait_minutes: null, wait_minutes_low: minutes - 1, wait_minutes_high: minutes + 2 }
}

function waitText(published: PublishedState, closedText: string): string {
  if (published.state !== 'open') return published.state === 'closed' ? closedText : 'Not Available'
  const { wait_minutes, wait_minutes_low, wait_minutes_high } = waitOf(published.minutes)
  if (wait_minutes_low === 0) return '< 5 mins'
  return wait_minutes === null ? `${wait_minutes_low}-${wait_minutes_high} mins` : `${wait_minutes} mins`
}

/** A checkpoint with its lanes. A closed lane says when it opens, or has a flag beside its last number. */
function entry(place: string, postings: Posting[], context: SiteContext): object {
  const [location, gates = ''] = place.split(', ')
  const lanes = postings.flatMap(({ queue, published }) => {
    const standard = queue.lane === 'standard'
    const flagged = published.state === 'closed' && sometimes(context, `flagged ${queue.id}`, 0.5)
    const word = waitText(published, flagged ? '6-9 mins' : `Opens ${Math.floor(queue.opens)}am`)
    return [
      [standard ? 'waittime' : 'pre', word],
      [standard ? 'isDisabled' : 'pre_disabled', flagged ? 1 : 0],
    ]
  })
  const named = { location: gates === '' && location === 'Terminal 1' ? 'Terminal 1( )' : location, gates }
  return { ...named, ...Object.fromEntries(lanes), isMulti: postings.length > 1 ? 1 : 0 }
}

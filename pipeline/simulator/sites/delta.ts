import { DateTime } from 'luxon'
import { zoneOf } from '../../../config/time-zones/local-time.ts'
import { sometimes } from './published-waits.ts'
import {
  escapeHtml,
  expectedReadings,
  html,
  minuteOf,
  type Posting,
  postingsOf,
  type Site,
  type SiteContext,
} from './site.ts'

const HUBS: Record<string, string> = { ATL: 'Atlanta', MSP: 'Minneapolis', DTW: 'Detroit' }
/** Los Angeles was removed from the list, but is sometimes still on the page. */
const REMOVED_BLOCK = `<div class="airport-wait-times-airport"><h3>Los Angeles (LAX)</h3>
<table class="airport-wait-times-airport__table"><tr><td>T3</td><td>8 minutes</td><td>Open</td></tr></table></div>`

/** Delta's page of its hubs: a block per airport, a table per section, one time for airports in two zones. */
export const delta: Site = {
  hosts: ['news.delta.com'],
  answer: ({ path }, context) => {
    if (path !== '/airport-wait-times') return null
    const postings = postingsOf('delta-newshub', context)
    // A block without current numbers is shown with meaningless ones.
    const isFallback = (iata: string) => sometimes(context, `${iata} fallback`, 0.03)
    const blocks = Object.keys(HUBS).map((iata) =>
      block(
        iata,
        postings.filter(({ queue }) => queue.iata === iata),
        isFallback(iata),
      ),
    )
    if (sometimes(context, 'LAX shown', 0.2)) blocks.push(REMOVED_BLOCK)
    // Without its zone the time cannot be interpreted.
    const zoned = !sometimes(context, 'no zone', 0.1)
    const readable = postings.filter(({ queue }) => !isFallback(queue.iata))
    return {
      ...html(page(blocks, context, zoned)),
      expected: expectedReadings(readable, zoned ? minuteOf(context.now) : null, waitOf),
    }
  },
}

const waitOf = (minutes: number) =>
  minutes < 5
    ? { wait_minutes: null, wait_minutes_low: 0, wait_minutes_high: 5 }
    : { wait_minutes: minutes, wait_minutes_low: null, wait_minutes_high: null }

function page(blocks: string[], { now }: SiteContext, zoned: boolean): string {
  const local = DateTime.fromMillis(now, { zone: zoneOf('America/New_York'), locale: 'en-US' })
  const half = local.hour < 12 ? 'a.m.' : 'p.m.'
  const time = local.toFormat(`LLLL d, yyyy 'at' h:mm '${half}'${zoned ? ' ZZZZ' : ''}`)
  return `<!doctype html><html lang="en"><body><div class="airport-wait-times">
${blocks.join('\n')}
<div class="airport-wait-times__updated">Last updated: ${time}</div>
</div></body></html>`
}

function block(iata: string, postings: Posting[], fallback: boolean): string {
  const sections = [...new Set(postings.map(({ queue }) => queue.fields.section ?? ''))].map((section) => {
    const rows = postings
      .filter(({ queue }) => queue.fields.section === section)
      .map((posting) => row(posting, fallback))
    const heading = section === '' ? '' : `<h4 class="airport-wait-times-airport__section">${section}</h4>\n`
    return `${heading}<table class="airport-wait-times-airport__table">
<tr><th>Checkpoint</th><th>Wait</th><th>Status</th></tr>\n${rows.join('\n')}</table>`
  })
  const mark = fallback ? ' airport-wait-times-airport--fallback' : ''
  return `<div class="airport-wait-times-airport${mark}"><h3>${HUBS[iata]} (${iata})</h3>\n${sections.join('\n')}</div>`
}

/** The third cell is the state or "PreCheck Only"; a closed PreCheck checkpoint has "Closed" in the second cell. */
function row({ queue, published }: Posting, fallback: boolean): string {
  const precheckOnly = queue.lane === 'precheck'
  const closed = published.state === 'closed'
  const minutes = published.minutes ?? 15
  const known = published.state === 'open' || fallback || (closed && !precheckOnly)
  const waitText = known ? (minutes < 5 ? '< 5 minutes' : `${minutes} minutes`) : closed ? 'Closed' : 'Not Available'
  const state = precheckOnly ? 'PreCheck Only' : closed && !fallback ? 'Closed' : 'Open'
  return `<tr><td>${queue.checkpoint}</td><td>${escapeHtml(waitText)}</td><td>${state}</td></tr>`
}

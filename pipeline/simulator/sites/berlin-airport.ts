import { staleMinutes, unrelatedMinutes, waitInBand } from './published-waits.ts'
import { expectedReadings, json, type Posting, postingsOf, type Site, type SiteContext } from './site.ts'

/** BER: a range of minutes per control, without a time of observation; "Runway" is a lane that passengers reserve. */
export const berlinAirport: Site = {
  hosts: ['ber.berlin-airport.de'],
  answer: ({ path }, context) => {
    if (path !== '/api.aplsv2.json') return null
    // One code means either "closed" or the kind of lane, so a closed priority lane cannot be recognised and is omitted.
    const postings = postingsOf('ber-apls', context).filter(
      ({ queue, published }) => queue.lane === 'standard' || published.state !== 'closed',
    )
    const rows = postings.map(row)
    rows.splice(3, 0, runway(context))
    const expected = expectedReadings(postings, null, (minutes) => waitInBand(boundsOf(minutes)))
    return { ...json({ data: { 'apls-data': rows } }), expected }
  },
}

const boundsOf = (minutes: number) => ({ low: Math.max(0, minutes - 2), high: minutes + 3 })

function row(posting: Posting): object {
  const { queue, published } = posting
  const [workload, workload_label] = workloadOf(posting)
  // A closed control shows 0 and 0, or its last range.
  const stale = staleMinutes(posting) % 2 === 0 ? { low: 0, high: 0 } : boundsOf(staleMinutes(posting))
  const open = published.minutes === null ? null : boundsOf(published.minutes)
  const known = published.state === 'closed' ? stale : open
  return {
    terminal: queue.terminal,
    security_control: queue.fields.control,
    low_minutes: known?.low ?? null,
    high_minutes: known?.high ?? null,
    workload,
    workload_label,
  }
}

function workloadOf({ queue, published }: Posting): [code: string, label: string] {
  if (published.state === 'closed') return ['C', 'closed']
  if (queue.lane === 'priority') return ['P', 'priority']
  const minutes = published.minutes ?? 0
  if (minutes < 6) return ['L', 'low']
  return minutes < 15 ? ['M', 'medium'] : ['H', 'high']
}

function runway(context: SiteContext): object {
  const high_minutes = unrelatedMinutes(context, 'BER Runway', 1)
  const place = { terminal: 'T1', security_control: '4', low_minutes: 0, high_minutes }
  return { ...place, workload: 'R', workload_label: 'runway' }
}

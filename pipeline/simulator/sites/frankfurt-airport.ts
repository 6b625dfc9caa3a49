import { DateTime } from 'luxon'
import { zoneOf } from '../../../config/time-zones/local-time.ts'
import { unrelatedMinutes } from './published-waits.ts'
import { expectedReadings, json, minuteOf, postingsOf, type Site } from './site.ts'

/** Rows that are not security queues of departing passengers: transfer passengers and passport control. */
const OTHER_ROWS = [
  { st: 'B2', ps: 'Transfer security checkpoint', t: '1', id: 'TKS_B', kat: 'Security checkpoint' },
  {
    st: 'A3',
    ps: 'Security checkpoint, Level 3\r\nConnecting flights',
    t: '1',
    id: 'TKS_A',
    kat: 'Security checkpoint',
  },
  { st: 'P1', ps: 'Passport control B', t: '1', id: 'GK_B', kat: 'Passport control' },
  { st: 'P3', ps: 'Passport control H', t: '3', id: 'GK_H', kat: 'Passport control' },
]

const STATE_TEXTS: Record<string, string> = { closed: 'closed', unknown: '-', hidden: '-' }

/** FRA: one field holds "7 min" or "closed"; the same list has passport control and transfer checkpoints. */
export const frankfurtAirport: Site = {
  hosts: ['www.frankfurt-airport.com'],
  answer: ({ path }, context) => {
    if (path !== '/wartezeiten/appres/rest/waz') return null
    const at = minuteOf(context.now)
    const lu = DateTime.fromMillis(at, { zone: zoneOf('Europe/Berlin') }).toFormat("yyyy-MM-dd'T'HH:mm:ssZZZ")
    const postings = postingsOf('fra-waz', context)
    const ours = postings.map(({ queue: { terminal, fields }, published }) => ({
      st: fields.station,
      ps: fields.place,
      t: terminal,
      e: 2,
      h: fields.station?.charAt(0),
      lu,
      id: fields.id,
      status: STATE_TEXTS[published.state] ?? `${published.minutes} min`,
      kat: 'Security checkpoint',
    }))
    const others = OTHER_ROWS.map(({ kat, ...row }) => ({
      ...row,
      e: 2,
      h: row.st.charAt(0),
      lu,
      status: `${unrelatedMinutes(context, row.id, 9)} min`,
      kat,
    }))
    return { ...json({ data: [...ours, ...others], lu, version: '1' }), expected: expectedReadings(postings, at) }
  },
}

import { DateTime } from 'luxon'
import { zoneOf } from '../../../config/time-zones/local-time.ts'
import { localTime } from '../model/local-clock.ts'
import { expectedReadings, json, minuteOf, type Posting, postingsOf, type Site } from './site.ts'

const ZONE = 'Asia/Seoul'

/** ICN: one entrance per row, numbers as text. "-" is a hall outside its hours; a hall closed within its hours shows 0. */
export const airportKr: Site = {
  hosts: ['www.airport.kr'],
  answer: ({ path, query }, context) => {
    if (path !== '/pgn/ap_en/passengerNoticeApiData.do') return null
    const at = minuteOf(context.now)
    const terminal = `T${query.get('tmnlId') ?? ''}`
    const postings = postingsOf('icn-keyless', context).filter(({ queue }) => queue.terminal === terminal)
    // Without rows the answer is an object instead of a list.
    if (postings.length === 0) return json({})
    return { ...json(postings.map((posting) => row(posting, at))), expected: expectedReadings(postings, at) }
  },
}

function row({ queue, published }: Posting, at: number): object {
  const { hour } = localTime(ZONE, at)
  const closed = published.state === 'closed'
  const withinHours = hour >= queue.opens && hour < queue.closes
  const closedCode = withinHours ? 'CL' : 'NP'
  const minutes = closed && withinHours ? '0' : String(published.minutes ?? '-')
  return {
    gateId: queue.checkpoint,
    gateStts: closed ? closedCode : 'OP',
    wtngPrsnm: published.minutes === null ? minutes : String(published.minutes * 7),
    wtngTm: minutes,
    operBgngTm: clock(queue.opens),
    operEndTm: clock(queue.closes),
    ocrTm: DateTime.fromMillis(at, { zone: zoneOf(ZONE) }).toFormat('yyyyMMddHHmm'),
  }
}

const clock = (hours: number) => `${String(Math.floor(hours)).padStart(2, '0')}${hours % 1 === 0 ? '00' : '30'}`

import { DateTime } from 'luxon'
import { wallClock } from '../model/local-clock.ts'
import { emissions, json, minuteOf, type Post, postsOf, type Site } from './site.ts'

const ZONE = 'Asia/Seoul'

/** ICN: an entrance a row, numbers as text; "-" is a hall out of its hours, and one shut within them says 0. */
export const airportKr: Site = {
  hosts: ['www.airport.kr'],
  answer: ({ path, query }, stage) => {
    if (path !== '/pgn/ap_en/passengerNoticeApiData.do') return null
    const at = minuteOf(stage.now)
    const terminal = `T${query.get('tmnlId') ?? ''}`
    const posts = postsOf('icn-keyless', stage).filter(({ queue }) => queue.terminal === terminal)
    // A terminal that has no rows answers an object.
    if (posts.length === 0) return json({})
    return { ...json(posts.map((post) => row(post, at))), emits: emissions(posts, at) }
  },
}

function row({ queue, posting }: Post, at: number): object {
  const { hour } = wallClock(ZONE, at)
  const shut = posting.says === 'closed'
  const within = hour >= queue.opens && hour < queue.closes
  const minutes = shut && within ? '0' : String(posting.minutes ?? '-')
  return {
    gateId: queue.checkpoint,
    gateStts: !shut ? 'OP' : within ? 'CL' : 'NP',
    wtngPrsnm: posting.minutes === null ? minutes : String(posting.minutes * 7),
    wtngTm: minutes,
    operBgngTm: clock(queue.opens),
    operEndTm: clock(queue.closes),
    ocrTm: DateTime.fromMillis(at, { zone: ZONE }).toFormat('yyyyMMddHHmm'),
  }
}

const clock = (hours: number) => `${String(Math.floor(hours)).padStart(2, '0')}${hours % 1 === 0 ? '00' : '30'}`

import { isoUtc } from '../../../config/domain.ts'
import { secondsOf, toTheSecond, withoutClosed } from './published-waits.ts'
import { emissions, json, minuteOf, postsOf, type Site } from './site.ts'

/** OSL: seconds for security and the border in one list; what is not available has a 0. */
export const avinor: Site = {
  hosts: ['www.avinor.no'],
  answer: ({ path }, stage) => {
    if (path !== '/api/v1/airportsecurity/waittime/OSL') return null
    const at = minuteOf(stage.now)
    const posts = toTheSecond(withoutClosed(postsOf('avinor-osl', stage)), stage)
    const rows = posts.map((post) => {
      const { iata, words } = post.queue
      const seconds = secondsOf(post)
      const timeSecond = seconds ?? 0
      const minutes = Math.round(timeSecond / 60)
      const clock = `${Math.floor(timeSecond / 60)}:${String(timeSecond % 60).padStart(2, '0')}`
      return {
        airportIata: iata,
        area: words.area,
        location: words.location || null,
        timeSecond,
        timeText: seconds === null ? '0' : clock,
        isAvailable: seconds !== null,
        lastUpdated: isoUtc(at),
        timeMinutesRounded: minutes,
        timeTextMinutes: seconds === null ? '' : `${minutes} min`,
      }
    })
    return { ...json(rows), emits: emissions(posts, at) }
  },
}

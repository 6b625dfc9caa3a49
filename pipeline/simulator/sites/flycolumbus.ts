import { hashOf, uniform } from '../model/noise.ts'
import { exactWait, openQueues } from './published-waits.ts'
import { expectedReadings, html, minuteOf, postingsOf, type Site } from './site.ts'

/** CMH: a sentence with an estimate in minutes and seconds; the hours below it are a forecast. */
export const flycolumbus: Site = {
  hosts: ['flycolumbus.com'],
  answer: ({ path }, context) => {
    if (path !== '/passengers/security/') return null
    const [posting] = openQueues(postingsOf('cmh-html', context))
    const seconds = 15 * Math.floor(2 * uniform(hashOf('CMH seconds'), minuteOf(context.now) / 60_000))
    const estimate = posting?.published.state === 'open' ? waitText(posting.published.minutes, seconds) : 'N/A'
    const page = `<!doctype html><html lang="en"><head><title>CMH</title></head><body><div>
Passengers moving through the security checkpoints should anticipate waiting on average for:<br><strong>${estimate}</strong>
<p>8 am - 9 am: 22 minutes</p><p>9 am - 10 am: 7 minutes, 30 seconds</p></div></body></html>`
    return {
      ...html(page),
      expected: expectedReadings(posting ? [posting] : [], null, (minutes) => exactWait(minutes + seconds / 60)),
    }
  },
}

function waitText(minutes: number, seconds: number): string {
  const counted = (count: number, unit: string) => (count === 1 ? `1 ${unit}` : `${count} ${unit}s`)
  if (seconds === 0) return counted(minutes, 'minute')
  return minutes === 0 ? counted(seconds, 'second') : `${counted(minutes, 'minute')}, ${counted(seconds, 'second')}`
}

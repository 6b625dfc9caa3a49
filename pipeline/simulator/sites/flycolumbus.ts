import { chance, keyOf } from '../model/noise.ts'
import { exactly, openOnes } from './published-waits.ts'
import { emissions, html, minuteOf, postsOf, type Site } from './site.ts'

/** CMH: a sentence with an estimate in minutes and seconds; the hours below it are a forecast. */
export const flycolumbus: Site = {
  hosts: ['flycolumbus.com'],
  answer: ({ path }, stage) => {
    if (path !== '/passengers/security/') return null
    const [post] = openOnes(postsOf('cmh-html', stage))
    const seconds = 15 * Math.floor(2 * chance(keyOf('CMH seconds'), minuteOf(stage.now) / 60_000))
    const spoken = post?.posting.says === 'minutes' ? wordsOf(post.posting.minutes, seconds) : 'N/A'
    const page = `<!doctype html><html lang="en"><head><title>CMH</title></head><body><div>
Passengers moving through the security checkpoints should anticipate waiting on average for:<br><strong>${spoken}</strong>
<p>8 am - 9 am: 22 minutes</p><p>9 am - 10 am: 7 minutes, 30 seconds</p></div></body></html>`
    return { ...html(page), emits: emissions(post ? [post] : [], null, (minutes) => exactly(minutes + seconds / 60)) }
  },
}

function wordsOf(minutes: number, seconds: number): string {
  const some = (count: number, unit: string) => (count === 1 ? `1 ${unit}` : `${count} ${unit}s`)
  if (seconds === 0) return some(minutes, 'minute')
  return minutes === 0 ? some(seconds, 'second') : `${some(minutes, 'minute')}, ${some(seconds, 'second')}`
}

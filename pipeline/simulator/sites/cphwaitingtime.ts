import { isoUtc } from '../../../config/domain.ts'
import { bandOfWidth, oldMinutes } from './published-waits.ts'
import { emissions, json, minuteOf, type Post, postsOf, type Site } from './site.ts'

/** CPH: a number and a band for each terminal in one flat object; beyond 20 minutes there is a lower bound only. */
export const cphwaitingtime: Site = {
  hosts: ['cphwaitingtime.z6.web.core.windows.net'],
  answer: ({ path }, stage) => {
    if (path !== '/waitingtime.json') return null
    const at = minuteOf(stage.now)
    const posts = postsOf('cph-azure', stage)
    const answer = {
      ...Object.fromEntries(posts.flatMap(fields)),
      supplier: 'simulated',
      documentName: 'waitingtime',
      deliveryId: isoUtc(at),
    }
    return { ...json(answer), emits: emissions(posts, at, waitOf) }
  },
}

const bandOf = (minutes: number) => bandOfWidth(minutes, 5, 20)

function waitOf(minutes: number) {
  const { low, high } = bandOf(minutes)
  return { wait_minutes: high === null ? null : minutes, wait_minutes_low: low, wait_minutes_high: high }
}

function fields(post: Post): [string, string][] {
  const { queue, posting } = post
  const field = `t${queue.terminal}WaitingTime`
  const told = (number: number | null, interval: string): [string, string][] => [
    [field, number === null ? '' : String(number)],
    [`${field}Interval`, interval],
  ]
  // A closed terminal keeps the number it had.
  if (posting.says === 'closed') return told(oldMinutes(post), 'Closed')
  if (posting.says !== 'minutes') return told(null, '')
  const { low, high } = bandOf(posting.minutes)
  if (high === null) return told(null, `> ${low} min`)
  return told(posting.minutes, low === 0 ? `< ${high}` : `${low}-${high} min`)
}

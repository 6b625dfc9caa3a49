import { banded, minutesElsewhere, oldMinutes } from './published-waits.ts'
import { emissions, json, type Post, postsOf, type Site, type Stage } from './site.ts'

/** BER: a band of minutes a control, no time of observation; "Runway" is a lane that is to be reserved. */
export const berlinAirport: Site = {
  hosts: ['ber.berlin-airport.de'],
  answer: ({ path }, stage) => {
    if (path !== '/api.aplsv2.json') return null
    // The one code says either that a control is closed or whose lane it is: while closed, the reserved lane is left out.
    const posts = postsOf('ber-apls', stage).filter(
      ({ queue, posting }) => queue.lane === 'standard' || posting.says !== 'closed',
    )
    const rows = posts.map(row)
    rows.splice(3, 0, runway(stage))
    const emits = emissions(posts, null, (minutes) => banded(boundsOf(minutes)))
    return { ...json({ data: { 'apls-data': rows } }), emits }
  },
}

const boundsOf = (minutes: number) => ({ low: Math.max(0, minutes - 2), high: minutes + 3 })

function row(post: Post): object {
  const { queue, posting } = post
  const [workload, workload_label] = workloadOf(post)
  // A closed control has 0 and 0, or what it had last.
  const shut = oldMinutes(post) % 2 === 0 ? { low: 0, high: 0 } : boundsOf(oldMinutes(post))
  const known = posting.says === 'closed' ? shut : posting.minutes === null ? null : boundsOf(posting.minutes)
  return {
    terminal: queue.terminal,
    security_control: queue.words.control,
    low_minutes: known?.low ?? null,
    high_minutes: known?.high ?? null,
    workload,
    workload_label,
  }
}

function workloadOf({ queue, posting }: Post): [code: string, label: string] {
  if (posting.says === 'closed') return ['C', 'closed']
  if (queue.lane === 'priority') return ['P', 'priority']
  const minutes = posting.minutes ?? 0
  return minutes < 6 ? ['L', 'low'] : minutes < 15 ? ['M', 'medium'] : ['H', 'high']
}

function runway(stage: Stage): object {
  const high_minutes = minutesElsewhere(stage, 'BER Runway', 1)
  const place = { terminal: 'T1', security_control: '4', low_minutes: 0, high_minutes }
  return { ...place, workload: 'R', workload_label: 'runway' }
}

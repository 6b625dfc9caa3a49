import { isoUtc } from '../../../config/domain.ts'
import { bandOfWidth, staleMinutes } from './published-waits.ts'
import { expectedReadings, json, minuteOf, type Posting, postingsOf, type Site } from './site.ts'

/** CPH: a number and a band per terminal in one flat object; over 20 minutes only a lower end. */
export const cphwaitingtime: Site = {
  hosts: ['cphwaitingtime.z6.web.core.windows.net'],
  answer: ({ path }, context) => {
    if (path !== '/waitingtime.json') return null
    const at = minuteOf(context.now)
    const postings = postingsOf('cph-azure', context)
    const answer = {
      ...Object.fromEntries(postings.flatMap(fields)),
      supplier: 'simulated',
      documentName: 'waitingtime',
      deliveryId: isoUtc(at),
    }
    return { ...json(answer), expected: expectedReadings(postings, at, waitOf) }
  },
}

const bandOf = (minutes: number) => bandOfWidth(minutes, 5, 20)

function waitOf(minutes: number) {
  const { low, high } = bandOf(minutes)
  return { wait_minutes: high === null ? null : minutes, wait_minutes_low: low, wait_minutes_high: high }
}

function fields(posting: Posting): [string, string][] {
  const { queue, published } = posting
  const field = `t${queue.terminal}WaitingTime`
  const fieldValues = (number: number | null, interval: string): [string, string][] => [
    [field, number === null ? '' : String(number)],
    [`${field}Interval`, interval],
  ]
  // A closed terminal still shows a number.
  if (published.state === 'closed') return fieldValues(staleMinutes(posting), 'Closed')
  if (published.state !== 'open') return fieldValues(null, '')
  const { low, high } = bandOf(published.minutes)
  if (high === null) return fieldValues(null, `> ${low} min`)
  return fieldValues(published.minutes, low === 0 ? `< ${high}` : `${low}-${high} min`)
}

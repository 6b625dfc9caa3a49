import { expectedReadings, json, postingsOf, type Site, text } from './site.ts'

const STATE_TEXTS: Record<string, string> = { closed: 'closed', unknown: '', hidden: '' }

/** DUS: minutes as a number and as text, 0 while closed; answers only requests like those of its own page. */
export const dus: Site = {
  hosts: ['www.dus.com'],
  answer: ({ path, headers }, context) => {
    if (path !== '/api/sitecore/flightapi/WaitingTimes') return null
    if (headers['x-requested-with'] !== 'XMLHttpRequest') return text('Not Found', 404)
    const postings = postingsOf('dus-sitecore', context)
    const rows = postings.map(({ queue: { checkpoint, fields }, published }, at) => ({
      id: at + 1,
      name: checkpoint,
      waitingTime: published.state === 'unknown' ? null : (published.minutes ?? 0),
      gateTerminal: fields.pier,
      waitingTimeText: STATE_TEXTS[published.state] ?? `${published.minutes} min`,
    }))
    const answer = { data: rows, serviceType: 'WaitingTimes', hasError: false, internalErrorMessage: '', errorCode: '' }
    return { ...json(answer), expected: expectedReadings(postings, null) }
  },
}

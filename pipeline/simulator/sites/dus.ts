import { emissions, json, postsOf, type Site, text } from './site.ts'

/** DUS: minutes and words beside each other, 0 while closed; answers only what its own page would ask. */
export const dus: Site = {
  hosts: ['www.dus.com'],
  answer: ({ path, headers }, stage) => {
    if (path !== '/api/sitecore/flightapi/WaitingTimes') return null
    if (headers['x-requested-with'] !== 'XMLHttpRequest') return text('Not Found', 404)
    const posts = postsOf('dus-sitecore', stage)
    const rows = posts.map(({ queue: { checkpoint, words }, posting }, at) => ({
      id: at + 1,
      name: checkpoint,
      waitingTime: posting.says === 'silent' ? null : (posting.minutes ?? 0),
      gateTerminal: words.pier,
      waitingTimeText:
        posting.says === 'minutes' ? `${posting.minutes} min` : posting.says === 'closed' ? 'closed' : '',
    }))
    const answer = { data: rows, serviceType: 'WaitingTimes', hasError: false, internalErrorMessage: '', errorCode: '' }
    return { ...json(answer), emits: emissions(posts, null) }
  },
}

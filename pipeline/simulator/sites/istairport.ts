import { sometimes } from './published-waits.ts'
import { expectedReadings, json, postingsOf, type Site, text } from './site.ts'

/** IST: three queues of different kinds in one object, for the airport's own page only; its flag may be false beside good numbers. */
export const istairport: Site = {
  hosts: ['www.istairport.com'],
  answer: ({ path, headers }, context) => {
    if (path !== '/umbraco/api/Checkpoint/GetWaitingTimes') return null
    if (!headers.referer?.startsWith('https://www.istairport.com/')) return text('Forbidden', 403)
    const postings = postingsOf('ist', context)
    const result = Object.fromEntries(
      postings.flatMap(({ queue: { fields }, published }) => [
        [fields.field!, published.minutes],
        [`${fields.field}Name`, fields.name],
      ]),
    )
    return {
      ...json({ status: !sometimes(context, 'IST status', 0.1), result }),
      expected: expectedReadings(postings, null),
    }
  },
}

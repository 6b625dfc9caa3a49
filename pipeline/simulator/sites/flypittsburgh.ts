import { expectedReadings, json, type Posting, postingsOf, type Site } from './site.ts'

/** Pittsburgh's own service: minutes behind a subscription key, without a time; rows that are not shown have numbers too. */
export const flypittsburgh: Site = {
  hosts: ['acaa-dna-api-prod.azure-api.net'],
  answer: ({ method, host, path, headers }, context) => {
    if (path !== '/tsa/wait-times') return null
    if (method === 'OPTIONS') return { status: 204, type: 'text/plain', body: '' }
    if (headers['ocp-apim-subscription-key'] !== context.keysOf(host).key) {
      const message = 'Access denied due to invalid subscription key. Make sure to provide a valid key.'
      return json({ statusCode: 401, message }, 401)
    }
    const postings = postingsOf('pit-azure', context)
    return { ...json(postings.map(row)), expected: expectedReadings(postings, null) }
  },
}

const MEANINGLESS_NUMBERS = { closed: 4, hidden: 31, unknown: null }

function row({ queue, published }: Posting): object {
  return {
    checkpointId: 'TMP_Main',
    checkpointName: queue.checkpoint,
    queueId: `TMP_${queue.fields.lane}`,
    queueName: queue.lane === 'precheck' ? 'TSA PreCheck' : queue.fields.lane,
    waitTime: published.state === 'open' ? published.minutes : MEANINGLESS_NUMBERS[published.state],
    status: published.state === 'closed' ? 'Closed' : 'Open',
    canDisplayData: published.state !== 'hidden',
  }
}

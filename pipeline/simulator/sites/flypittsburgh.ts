import { emissions, json, type Post, postsOf, type Site } from './site.ts'

/** Pittsburgh's own service: minutes behind a subscription key; rows that are not shown have numbers too; no time. */
export const flypittsburgh: Site = {
  hosts: ['acaa-dna-api-prod.azure-api.net'],
  answer: ({ method, host, path, headers }, stage) => {
    if (path !== '/tsa/wait-times') return null
    if (method === 'OPTIONS') return { status: 204, type: 'text/plain', body: '' }
    if (headers['ocp-apim-subscription-key'] !== stage.keysOf(host).key) {
      const message = 'Access denied due to invalid subscription key. Make sure to provide a valid key.'
      return json({ statusCode: 401, message }, 401)
    }
    const posts = postsOf('pit-azure', stage)
    return { ...json(posts.map(row)), emits: emissions(posts, null) }
  },
}

const NUMBERS_WITHOUT_MEANING = { closed: 4, hidden: 31, silent: null }

function row({ queue, posting }: Post): object {
  return {
    checkpointId: 'TMP_Main',
    checkpointName: queue.checkpoint,
    queueId: `TMP_${queue.words.lane}`,
    queueName: queue.lane === 'precheck' ? 'TSA PreCheck' : queue.words.lane,
    waitTime: posting.says === 'minutes' ? posting.minutes : NUMBERS_WITHOUT_MEANING[posting.says],
    status: posting.says === 'closed' ? 'Closed' : 'Open',
    canDisplayData: posting.says !== 'hidden',
  }
}

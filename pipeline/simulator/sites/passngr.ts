import { publishedSeconds } from './published-waits.ts'
import { json, minuteOf, postingsOf, type Site } from './site.ts'

/** MUC: ids that contain place and lane, -1 for unknown, queues of other kinds. The unit is unknown, so a collector must not land minutes. */
export const passngr: Site = {
  hosts: ['www.passngr.de'],
  answer: ({ path }, context) => {
    if (path !== '/info/generic/data/QueueWaitingTimeEDDM_en.json') return null
    const at = minuteOf(context.now)
    const security = postingsOf('muc-passngr', context).map((posting) => ({
      queueId: posting.queue.fields.id,
      projectedWaitTime: Math.round((publishedSeconds(posting, at) ?? -60) / 6) / 10,
    }))
    const others = [
      { queueId: 'T2_Abflug_SIKO_BC_NORD', projectedWaitTime: 1.5 },
      { queueId: 'T2_Ankunft_PASS', projectedWaitTime: 12 },
    ]
    return { ...json({ queueTimes: { current: [...security, ...others] } }), expected: [] }
  },
}

import { isoUtc } from '../../../config/domain.ts'
import { exactWait, openQueues, publishedSeconds, sometimes } from './published-waits.ts'
import { expectedReadings, json, minuteOf, type Posting, postingsOf, type Site } from './site.ts'

/** YYZ's own feed: seconds, terminals in three spellings, and checkpoints of connecting passengers in the same list. */
export const torontopearson: Site = {
  hosts: ['www.torontopearson.com'],
  answer: ({ path }, context) => {
    if (path !== '/api/waittimeapidata/getcheckpoints') return null
    const at = minuteOf(context.now)
    const postings = postingsOf('yyz-pearson', context).filter(
      ({ queue }) => !sometimes(context, `${queue.id} left out`, 0.01),
    )
    const connections = { nameEn: 'Connections', nameFr: 'Correspondances', terminal: 'T1', zone: 'International' }
    const checkpoints = [
      ...postings.map((posting, place) => row(posting, place + 1, at)),
      { id: 40, ...connections, waitTimeInSecond: 600, lastUpdate: isoUtc(at), departure: false, connection: true },
    ]
    const head = { serverTime: new Date(context.now).toISOString(), lastUpdate: isoUtc(at), scenario: 'departure' }
    const expected = openQueues(postings).flatMap((posting) =>
      expectedReadings([posting], at, () => exactWait(publishedSeconds(posting, at)! / 60)),
    )
    return { ...json({ ...head, checkpoints }), expected }
  },
}

function row(posting: Posting, id: number, at: number): object {
  const { checkpoint, fields } = posting.queue
  return {
    id,
    nameEn: checkpoint,
    nameFr: checkpoint.replace('Domestic', 'Intérieur').replace('Transborder', 'Transfrontalier'),
    terminal: fields.terminal,
    zone: fields.zone,
    waitTimeInSecond: publishedSeconds(posting, at),
    lastUpdate: new Date(at).toISOString(),
    departure: true,
    connection: fields.zone === 'US',
  }
}

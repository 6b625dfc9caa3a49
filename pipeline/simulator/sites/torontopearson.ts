import { isoUtc } from '../../../config/domain.ts'
import { exactly, openOnes, secondsSaid, sometimes } from './published-waits.ts'
import { emissions, json, minuteOf, type Post, postsOf, type Site } from './site.ts'

/** YYZ's own feed: seconds, terminals in three spellings, and checkpoints of connecting passengers among the others. */
export const torontopearson: Site = {
  hosts: ['www.torontopearson.com'],
  answer: ({ path }, stage) => {
    if (path !== '/api/waittimeapidata/getcheckpoints') return null
    const at = minuteOf(stage.now)
    const posts = postsOf('yyz-pearson', stage).filter(({ queue }) => !sometimes(stage, `${queue.id} left out`, 0.01))
    const connections = { nameEn: 'Connections', nameFr: 'Correspondances', terminal: 'T1', zone: 'International' }
    const checkpoints = [
      ...posts.map((post, place) => row(post, place + 1, at)),
      { id: 40, ...connections, waitTimeInSecond: 600, lastUpdate: isoUtc(at), departure: false, connection: true },
    ]
    const head = { serverTime: new Date(stage.now).toISOString(), lastUpdate: isoUtc(at), scenario: 'departure' }
    const emits = openOnes(posts).flatMap((post) => emissions([post], at, () => exactly(secondsSaid(post, at)! / 60)))
    return { ...json({ ...head, checkpoints }), emits }
  },
}

function row(post: Post, id: number, at: number): object {
  const { checkpoint, words } = post.queue
  return {
    id,
    nameEn: checkpoint,
    nameFr: checkpoint.replace('Domestic', 'Intérieur').replace('Transborder', 'Transfrontalier'),
    terminal: words.terminal,
    zone: words.zone,
    waitTimeInSecond: secondsSaid(post, at),
    lastUpdate: new Date(at).toISOString(),
    departure: true,
    connection: words.zone === 'US',
  }
}

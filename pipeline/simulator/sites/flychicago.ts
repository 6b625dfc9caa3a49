import { isoUtc } from '../../../config/domain.ts'
import { secondsAround, sometimes } from './published-waits.ts'
import { emissions, json, minuteOf, type Post, postsOf, type Site, type Stage } from './site.ts'

/** O'Hare's "no value". */
const NO_VALUE = 424_242

/** ORD: metrics in seconds under dotted names, where zero means closed; other metrics repeat them. Often there is none. */
export const flychicago: Site = {
  hosts: ['tsawaittimes.flychicago.com'],
  answer: ({ path }, stage) => {
    if (path !== '/tsawaittimes') return null
    if (sometimes(stage, 'ORD empty', 0.15)) return json([])
    const at = minuteOf(stage.now)
    const posts = postsOf('ord-flychicago', stage)
    const emits = posts.flatMap((post) =>
      emissions([post], at, () => ({
        wait_minutes: secondsPosted(post, at) / 60,
        wait_minutes_low: null,
        wait_minutes_high: null,
      })),
    )
    return { ...json([...posts.flatMap((post) => metrics(post, stage, at)), metric('ORD.TSAFloor', 120, at)]), emits }
  },
}

function secondsPosted({ queue, posting }: Post, at: number): number {
  if (posting.says === 'closed') return 0
  return posting.minutes === null ? NO_VALUE : secondsAround(queue.id, posting.minutes, at, 1)
}

const metric = (name: string, waitTimes: number, at: number) => ({ name: `Queues.${name}`, waitTimes, t: isoUtc(at) })

function metrics(post: Post, stage: Stage, at: number): object[] {
  const { queue } = post
  const name = `T${queue.terminal}C${queue.checkpoint.replace('Checkpoint ', '')}${queue.words.lane}WaitTime`
  const seconds = secondsPosted(post, at)
  // Of a checkpoint whose lanes are not told apart there is the overview alone.
  if (queue.lane === 'all') return [metric(`ORD.Overview${name}`, seconds, at)]
  const repeats = [metric(`ORD.Overview${name}`, 900, at), metric(`PaxFacing.${name}`, 600, at)]
  return [metric(`ORD.${name}`, seconds, at), ...repeats.filter(() => sometimes(stage, `repeats ${queue.id}`, 0.6))]
}

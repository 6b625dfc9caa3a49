import {
  ARCHIVE_WITHIN_MS,
  type ArchiveDesk,
  ArchiveQuestion,
  type Archivist,
  answerTo,
  archiveUnavailable,
} from './archive.ts'
import type { LiveCounter } from './live.ts'
import { openRedisAsker } from './redis-asker.ts'
import { openRedisWorker, type RedisQueueOptions } from './redis-queue.ts'

const QUEUE = 'archive'
const AT_ONCE = 2

/** Answers questions about the past of any machine that shares the Redis. */
export const openRedisArchiveCounter = (answer: Archivist, options: RedisQueueOptions): Promise<LiveCounter> =>
  openRedisWorker(QUEUE, (given) => answer(ArchiveQuestion.parse(given)), options, AT_ONCE)

/** Puts questions about the past to whatever worker shares the Redis. */
export function openRedisArchiveDesk(options: RedisQueueOptions, within_ms = ARCHIVE_WITHIN_MS): ArchiveDesk {
  const { ask, close } = openRedisAsker(QUEUE, options, within_ms, archiveUnavailable)
  return {
    ask: async (question, { signal } = {}) =>
      ask(ArchiveQuestion.parse(question), (answer) => answerTo(question, answer), signal),
    close,
  }
}

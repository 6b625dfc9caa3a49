import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { watchNetwork } from '../../../bin/runtime/network-watch.ts'

const UNRESOLVED = { code: 'SITE_UNREACHABLE', message: 'https://x.example/: its name could not be resolved' } as const
const REFUSED = { code: 'SITE_UNREACHABLE', message: 'https://y.example/: the connection was refused' } as const
const CHANGED = { code: 'PARSE_FAILED', message: 'the page has no queues' } as const

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function watched() {
  const sentences: string[] = []
  const reported: string[] = []
  const { failed, answered } = watchNetwork(71, (sentence) => sentences.push(sentence))
  return {
    said: sentences,
    reported,
    answered,
    failed: (error: typeof UNRESOLVED | typeof REFUSED | typeof CHANGED) =>
      failed(error, () => reported.push(error.code)),
  }
}

test('says once that no source answers, and why, in place of a line for each', () => {
  const { said: sentences, reported, failed, answered } = watched()
  for (let source = 0; source < 71; source++) failed(UNRESOLVED)
  vi.advanceTimersByTime(60_000)
  for (let source = 0; source < 71; source++) failed(UNRESOLVED)
  vi.advanceTimersByTime(60_000)
  expect([sentences, reported]).toEqual([['0 of 71 sources answer: names cannot be resolved.'], []])
  answered()
  expect(sentences.at(-1)).toBe('Sources answer again.')
  failed(UNRESOLVED)
  expect(reported).toEqual(['SITE_UNREACHABLE'])
  vi.advanceTimersByTime(601_000)
  failed(REFUSED)
  vi.advanceTimersByTime(20_000)
  expect(sentences.at(-1)).toBe('0 of 71 sources answer: no site can be reached.')
})

test('reports each failure where other sources answer, also unreadably', () => {
  const { said: sentences, reported, failed } = watched()
  failed(UNRESOLVED)
  expect(reported).toEqual([])
  failed(CHANGED)
  failed(REFUSED)
  vi.advanceTimersByTime(60_000)
  expect([sentences, reported]).toEqual([[], ['SITE_UNREACHABLE', 'PARSE_FAILED', 'SITE_UNREACHABLE']])
})

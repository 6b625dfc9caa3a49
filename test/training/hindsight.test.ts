import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { DAY_MS, HOUR_MS, isoUtc } from '../../config/domain.ts'
import { projectFile } from '../../config/paths.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { writeHistorySet } from './history/history-set.ts'

const PROGRAM = projectFile('dist', 'test', 'programs', 'hindsight.js')
const FIRST = Date.parse('2026-04-01T00:00:00Z')

/** Waits of JFK at eight hours of 60 days, which rise from 6 to 16 minutes on the 41st day. */
const rows = Array.from({ length: 60 * 8 }, (_, k) => {
  const at = FIRST + Math.floor(k / 8) * DAY_MS + (12 + (k % 8)) * HOUR_MS
  return `JFK,T4,Main,standard,${isoUtc(at)},${k < 40 * 8 ? 6 : 16},,,open`
})

test('who sees the days after a rise misses it by less than who sees those before, and nobody errs without a rise', async () => {
  const folder = await writeHistorySet(await temporaryFolder(), rows)
  const errorsOf = async (from: string, to: string) => {
    const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM, folder, '--from', from, '--to', to])
    return new Map(
      stdout.split('\n').map((line) => {
        const [name = '', mae] = line.trim().split(/\s+/)
        return [name, Number(mae)]
      }),
    )
  }
  const risen = await errorsOf('2026-05-11T00:00:00Z', '2026-05-16T00:00:00Z')
  expect(risen.get('same_hour')).toBe(10)
  expect(risen.get('around')).toBeLessThan(risen.get('before')! - 1)
  const steady = await errorsOf('2026-05-01T00:00:00Z', '2026-05-06T00:00:00Z')
  expect([steady.get('same_hour'), steady.get('before')]).toEqual([0, 0])
}, 60_000)

import { expect, onTestFinished, test } from 'vitest'
import { issueKey } from '../../accounts/keys/keys.ts'
import { openState } from '../../api/state/open.ts'
import { startServer } from '../../bin/service/server.ts'
import { readSettings } from '../../config/settings.ts'
import { isoUtc } from '../../config/vocabulary.ts'
import { ForecastBuilder } from '../../warehouse/publishing/gather/forecast-block.ts'
import type { SnapshotContent } from '../../warehouse/publishing/read/index.ts'
import { snapshotId } from '../../warehouse/publishing/snapshot/names.ts'
import { watchSnapshots } from '../../warehouse/publishing/snapshot/watch.ts'
import { writeSnapshot } from '../../warehouse/publishing/snapshot/write.ts'
import { emptyContent } from '../warehouse/snapshot-content.ts'
import { DIRECTORY } from './airport-directory.ts'
import { NOW, THIS_HOUR } from './example-snapshot.ts'
import { measured } from './fake-snapshot.ts'
import { temporaryFolder } from './harness.ts'

const CODES = ['JFK', 'LGA', 'GRU', 'DEL']
const publishedAt = (version: number) => isoUtc(NOW + version * 1_000)

/** A snapshot in which every number, of waits and forecasts, is its version number. */
function contentOf(version: number): SnapshotContent {
  const builder = new ForecastBuilder()
  const backtest = { mae_minutes: version, baseline_mae_minutes: version, coverage_80: 0.8, samples: version }
  const model = builder.addModel({ version: `model:v${version}`, trained_at: null, basis: 'predicted', backtest })
  const hour = { p10: version, p50: version, p90: version, confidence: 0.5 }
  const values = builder.addValues(Array.from({ length: 168 }, () => hour))
  for (const iata of CODES) builder.addSeries(iata, '', THIS_HOUR, values, model)
  return emptyContent(publishedAt(version), {
    forecasts: builder.build(),
    queues: CODES.map((iata) => ({ iata, kind: 'security', wait: measured(NOW, version) })),
  })
}

const numbersIn = (text: string) =>
  new Set(
    [...text.matchAll(/"(?:wait_minutes|average_wait_minutes|next_hour|samples)":(\d+)/g)].map(([, n]) => Number(n)),
  )

test('while snapshots are published under load, every answer uses exactly one of them and none fails', async () => {
  const folder = temporaryFolder()
  const settings = readSettings({ HOLDSHORT_DATA_DIR: folder, HOLDSHORT_PORT: '0' })
  const state = await openState(settings)
  await writeSnapshot(folder, contentOf(1))
  const faults: unknown[] = []
  const holder = await watchSnapshots(folder, { onError: (error) => faults.push(error) }, 15)
  const server = await startServer({ settings, state, directory: DIRECTORY, holder, clock: () => NOW })
  onTestFinished(async () => {
    holder.stop()
    await server.stop()
    await state.close()
  })

  const versionOf = new Map<string, number>()
  for (let version = 1; version <= 8; version++) versionOf.set(snapshotId(publishedAt(version)), version)
  const seen = new Set<number>()
  let publishing = true
  let answers = 0

  const ask = async (path: string, key: string, body?: string) => {
    const options = body === undefined ? {} : { method: 'POST', body }
    let last = 0
    while (publishing) {
      const headers = { 'x-api-key': key, ...(body !== undefined && { 'content-type': 'application/json' }) }
      const answer = await fetch(server.address + path, { ...options, headers })
      const text = await answer.text()
      expect(answer.status, text.slice(0, 300)).toBe(200)
      const version = versionOf.get(/^W\/"([^.]+)\./.exec(answer.headers.get('etag')!)![1]!)!
      expect([...numbersIn(text)], path).toEqual([version])
      expect(version).toBeGreaterThanOrEqual(last)
      last = version
      seen.add(version)
      answers++
      // The pause keeps each caller below the limit of 1,000 a minute of its key.
      await new Promise((resolve) => setTimeout(resolve, 4))
    }
  }
  const key = async () => (await issueKey(state, { tier: 'enterprise' }, NOW)).key
  const callers = [
    ask('/api/v1/airports/bulk', await key(), JSON.stringify({ codes: CODES })),
    ask('/api/v1/airports/bulk', await key(), JSON.stringify({ codes: CODES })),
    ask('/api/v1/airports/JFK/predictions?days=7', await key()),
    ask('/api/v1/airports/DEL/wait-times', await key()),
    ask('/api/v1/airports/DEL/wait-times', await key()),
  ]
  for (let version = 2; version <= 8; version++) {
    await new Promise((resolve) => setTimeout(resolve, 80))
    await writeSnapshot(folder, contentOf(version))
  }
  while (!seen.has(8)) await new Promise((resolve) => setTimeout(resolve, 20))
  publishing = false
  await Promise.all(callers)
  expect(faults).toEqual([])
  expect([...seen].sort()).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
  expect(answers).toBeGreaterThan(100)
})

import { setTimeout as wait } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { openState } from '../../api/state/open.ts'
import { repetitions } from '../exhaustive.ts'
import { temporaryFolder } from './harness.ts'
import { expectNothingLost, killMany, outputOf, startWriter } from './killed-writers.ts'
import { startCluster } from './state/cluster.ts'

test('killing the writers and then the server with SIGKILL loses nothing acknowledged and bills nothing twice', async () => {
  const cluster = await startCluster({ durable: true })
  onTestFinished(() => cluster.remove())
  const folder = temporaryFolder()
  const database_url = cluster.url('postgres')
  const output = await killMany(repetitions(6, 30), 3, () => startWriter(folder, database_url))

  const writer = startWriter(folder, database_url)
  await writer.hasPrinted(1)
  for (const moment of [40, 150, 90].slice(0, repetitions(1, 3))) {
    await wait(moment)
    await cluster.kill()
    await cluster.start()
    // The pool reconnects without help.
    const before = writer.lines().length
    await expect
      .poll(
        () =>
          outputOf(writer)
            .slice(before)
            .map(([word]) => word),
        { timeout: 20_000 },
      )
      .toContain('registered')
  }
  await writer.kill()
  expect(outputOf(writer).map(([word]) => word)).toContain('unreachable')

  const state = await openState({ data_dir: folder, database_url, key_pepper: 'pepper of the writers' })
  await expectNothingLost(state, [...output, ...outputOf(writer)])
  await state.close()
}, 120_000)

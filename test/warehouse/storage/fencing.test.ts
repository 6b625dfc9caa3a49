import { spawn } from 'node:child_process'
import promises from 'node:fs/promises'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { HoldshortError } from '../../../config/errors.ts'
import { projectFile } from '../../../config/paths.ts'
import { compactTables, sweepReplaced } from '../../../warehouse/storage/compact.ts'
import { replaceCaptures } from '../../../warehouse/storage/replace-captures.ts'
import { rollUp } from '../../../warehouse/storage/rollup.ts'
import { openWarehouse } from '../../../warehouse/storage/warehouse.ts'
import { asFenced, landRows, type WriteContext } from '../../../warehouse/storage/write.ts'
import { type Reading, readings } from '../../../warehouse/tables/readings.ts'
import { EXHAUSTIVE, repetitions } from '../../exhaustive.ts'
import { runStopping, stopAtSteps } from '../../stopped-writer.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { reading } from '../test-rows.ts'

stopAtSteps()
/** Files are read by the engine; what else is read says nothing about the work of others. */
const SHARED = ['mkdir', 'readdir', 'rename', 'rm', 'open', 'writeFile', 'link', 'stat'] as const

const minute = (value: number) => String(value).padStart(2, '0')
const rowsFrom = (first: number, count: number): Reading[] =>
  Array.from({ length: count }, (_, k) =>
    reading({ observed_at: `2026-11-20T10:${minute(first + k)}:00Z`, capture_id: `c${first + k}` }),
  )

/** Days that are old enough to be merged into the file of their month. */
const OLD_DAYS = ['12', '13', '14', '15']
const ofOldDay = (day: string, first: number, count: number): Reading[] =>
  rowsFrom(first, count).map((row) => ({
    ...row,
    observed_at: row.observed_at.replace('-20T', `-${day}T`),
    capture_id: `${day}-${row.capture_id}`,
  }))

/** Work of a writer, and the readings that exist once it has been acknowledged. */
const WORK = {
  land: { run: (context: WriteContext) => landRows(context, readings, rowsFrom(20, 5)), adds: rowsFrom(20, 5) },
  land_some_known: {
    run: (context: WriteContext) => landRows(context, readings, rowsFrom(7, 5)),
    adds: rowsFrom(7, 5),
  },
  land_late: {
    run: (context: WriteContext) => landRows(context, readings, ofOldDay('13', 1, 4)),
    adds: ofOldDay('13', 1, 4),
  },
  compact: { run: (context: WriteContext) => compactTables(context, 2), adds: [] },
  roll_up: { run: (context: WriteContext) => rollUp(context), adds: [] },
  replay: { run: (context: WriteContext) => replaceCaptures(context, readings, ['c3'], rowsFrom(3, 1)), adds: [] },
  replay_old: {
    run: (context: WriteContext) => replaceCaptures(context, readings, ['14-c1'], ofOldDay('14', 1, 1)),
    adds: ofOldDay('14', 1, 1),
  },
  sweep: { run: (context: WriteContext) => sweepReplaced(context, Date.now() + 3_600_000), adds: [] },
}
type WorkName = keyof typeof WORK
const WORK_NAMES = Object.keys(WORK) as WorkName[]

/** Runs `first` until its step, then all of `others`, then the rest of `first`; returns whether it reached the step. */
async function interleave(first: WorkName, step: number, others: WorkName[]): Promise<boolean> {
  const folder = await temporaryFolderOnce()
  const [a, b] = [await openWarehouse(folder), await openWarehouse(folder)]
  try {
    await landRows(a.context, readings, rowsFrom(0, 4))
    await landRows(a.context, readings, rowsFrom(4, 6))
    const old = OLD_DAYS.flatMap((day) => ofOldDay(day, 0, 2))
    await landRows(a.context, readings, old)
    const acknowledged = [...rowsFrom(0, 10), ...old]
    let reached = false
    const meanwhile = async () => {
      reached = true
      for (const name of others) {
        await WORK[name].run(b.context)
        acknowledged.push(...WORK[name].adds)
      }
    }
    try {
      await runStopping<unknown>(step, meanwhile, () => WORK[first].run(a.context), SHARED)
      acknowledged.push(...WORK[first].adds)
    } catch (cause) {
      const error = asFenced(cause)
      // Only another writer's work may make it fail, and then by its own code.
      expect([reached, (error as HoldshortError).code]).toEqual([true, 'WRITE_FENCED'])
    }
    await b.refresh()
    const found = await b.query<{ observed_at: string }>('SELECT observed_at FROM readings ORDER BY 1')
    const expected = new Set(acknowledged.map(({ observed_at }) => observed_at))
    const instants = found.map(({ observed_at }) => observed_at)
    expect(new Set(instants).size, 'no reading twice').toBe(instants.length)
    for (const instant of expected)
      expect(instants, `${first} stopped at step ${step}, then ${others}`).toContain(instant)
    // The warehouse goes on, and what is derived is brought up to date.
    await landRows(b.context, readings, rowsFrom(40, 1))
    await rollUp(b.context)
    await b.refresh()
    const [hours] = await b.query<{ samples: number }>(
      "SELECT sum(samples) AS samples FROM rollups WHERE level = 'airport'",
    )
    expect(hours?.samples).toBe(instants.length + 1)
    return reached
  } finally {
    await a.close()
    await b.close()
    await promises.rm(folder, { recursive: true, force: true })
  }
}

async function temporaryFolderOnce(): Promise<string> {
  const { tmpdir } = await import('node:os')
  return promises.mkdtemp(`${tmpdir()}/holdshort-fencing-`)
}

test('a writer stopped at any step loses no row of another writer and doubles none', async () => {
  const names = fc.constantFrom(...WORK_NAMES)
  await fc.assert(
    fc.asyncProperty(
      names,
      fc.nat(30),
      fc.array(names, { minLength: 1, maxLength: 3 }),
      async (first, step, others) => {
        await interleave(first, step, others)
      },
    ),
    { numRuns: repetitions(1, 40), endOnFailure: true },
  )
}, 300_000)

/** The pairs in which a stale writer would do the most harm. */
const RISKIEST: [WorkName, WorkName][] = [
  ['land', 'compact'],
  ['compact', 'land'],
  ['sweep', 'compact'],
  ['replay', 'replay'],
  ['replay', 'land'],
  ['compact', 'land_late'],
  ['land_late', 'compact'],
  ['replay_old', 'compact'],
  ['roll_up', 'compact'],
  ['roll_up', 'replay'],
]

test.runIf(EXHAUSTIVE).each(RISKIEST)(
  '%s stopped at every step while another writer does %s loses nothing',
  async (first, second) => {
    for (let step = 0; await interleave(first, step, [second]); step += 1) expect(step).toBeLessThan(200)
  },
  240_000,
)

test.runIf(EXHAUSTIVE)(
  'an import takes the lock of a frozen writer over, and what that writer had begun fails when it continues',
  async () => {
    const folder = await temporaryFolder()
    const warehouse = await openWarehouse(folder)
    await warehouse.land(readings, rowsFrom(0, 4))
    await warehouse.land(readings, rowsFrom(4, 4))
    const program = projectFile('dist', 'test', 'programs', 'compact-and-stop.js')
    const child = spawn(process.execPath, [program, folder], { stdio: ['ignore', 'pipe', 'inherit'] })
    let output = ''
    const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
    await new Promise<void>((resolve) =>
      child.stdout.on('data', (text) => {
        output += text
        if (output.includes('stopping')) resolve()
      }),
    )
    expect(await warehouse.land(readings, rowsFrom(20, 5))).toBe(5)
    child.kill('SIGCONT')
    await ended
    expect(output).toContain('WRITE_FENCED')
    await warehouse.refresh()
    expect(await warehouse.query('SELECT count(*) AS n FROM readings')).toEqual([{ n: 13 }])
    await warehouse.close()
  },
  60_000,
)

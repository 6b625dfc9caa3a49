import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { openState } from '../../api/state/open.ts'
import { projectFile } from '../../config/paths.ts'
import { openWarehouse } from '../../warehouse/storage/warehouse.ts'
import { readings } from '../../warehouse/tables/readings.ts'
import { expectNothingLost, outputOf, startWriter } from '../api/killed-writers.ts'
import { json, run } from '../end-to-end/commands.ts'
import { CLI, holdshort } from '../end-to-end/installation.ts'
import { EXHAUSTIVE } from '../exhaustive.ts'
import { startProgram } from '../start-program.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { reading } from '../warehouse/test-rows.ts'

const KILLS = 14

async function batchesIn(data: string): Promise<Map<string, number>> {
  const warehouse = await openWarehouse(data)
  const rows = await warehouse.query<{ batch: string; rows: number }>(
    `SELECT split_part(checkpoint, '-', 1) AS batch, count(*)::INTEGER AS rows FROM readings GROUP BY 1`,
  )
  await warehouse.close()
  return new Map(rows.map(({ batch, rows: count }) => [batch, count]))
}

/** Starts a command and kills it some time later; whether it ended before. */
async function killedAfter(ms: number, args: string[]): Promise<boolean> {
  const child = spawn(process.execPath, [CLI, ...args], { stdio: 'ignore' })
  const ended = once(child, 'exit')
  const first = await Promise.race([ended.then(() => true), sleep(ms, false)])
  child.kill('SIGKILL')
  await ended
  return first
}

test.runIf(EXHAUSTIVE)(
  'backups and restores that are killed while others land, compact, register and bill lose nothing acknowledged before',
  async () => {
    const folder = await temporaryFolder()
    const data = join(folder, 'data')
    const backups = join(folder, 'backups')
    const lander = startProgram('land-forever', data, 0)
    const writer = startWriter(data)
    await writer.hasPrinted(700)
    await lander.hasPrinted(4)

    // The writers go on; what they have acknowledged so far must be in the next backup.
    let landed = lander.lines()
    let acknowledged = outputOf(writer)
    await json('backup', backups, '--data-dir', data, '--json')
    for (let kill = 0; kill < KILLS; kill += 1) {
      const before = { landed: lander.lines(), acknowledged: outputOf(writer) }
      const isDone = await killedAfter(400 + kill * 120, ['backup', backups, '--data-dir', data])
      const { code, stderr } = await run('restore', backups, '--verify')
      expect([kill, code, stderr]).toEqual([kill, 0, expect.anything()])
      if (isDone) [landed, acknowledged] = [before.landed, before.acknowledged]
    }
    await lander.kill()
    await writer.kill()

    const restored = join(folder, 'restored')
    let isDone = false
    for (let kill = 0; kill < KILLS && !isDone; kill += 1) {
      isDone = await killedAfter(300 + kill * 60, ['restore', backups, '--data-dir', restored])
      if (isDone) break
      const { code, stderr } = await holdshort(['keys', 'list', '--data-dir', restored])
      // It was killed before it began, while it wrote, or after it had finished.
      if (code !== 0) expect(stderr).toMatch(/RESTORE_UNFINISHED|does not exist|is empty/)
      else isDone = true
    }
    if (!isDone) expect((await holdshort(['restore', backups, '--data-dir', restored])).code).toBe(0)

    const there = await batchesIn(restored)
    expect(landed.length).toBeGreaterThan(3)
    for (const batch of landed) expect([batch, there.get(batch)]).toEqual([batch, 20])
    expect([...there.values()].every((rows) => rows === 20)).toBe(true)
    const state = await openState({ data_dir: restored })
    // What came after the last backup may be in it or not.
    const later = outputOf(writer).filter(([word]) => word === 'revoking' || word === 'billed')
    await expectNothingLost(state, [...acknowledged, ...later])
    await state.close()
  },
  240_000,
)

/** Runs a backup that is killed before its nth change of the folder of backups; whether it ended before. */
async function backUpUntil(step: number, target: string, data: string): Promise<boolean> {
  const preload = projectFile('dist', 'test', 'programs', 'kill-at-step.js')
  const child = spawn(process.execPath, ['--import', preload, CLI, 'backup', target, '--data-dir', data], {
    stdio: 'ignore',
    env: { ...process.env, KILL_STEP: String(step), KILL_BELOW: target },
  })
  const [code] = (await once(child, 'exit')) as [number | null]
  return code === 0
}

test.runIf(EXHAUSTIVE)(
  'after a first or a second backup that was killed at any step the next one succeeds and leaves no draft',
  async () => {
    const folder = await temporaryFolder()
    const data = join(folder, 'data')
    await (await openState({ data_dir: data })).close()
    const land = async (batch: number) => {
      const warehouse = await openWarehouse(data)
      await warehouse.land(readings, [reading({ checkpoint: `${batch}-0`, capture_id: `capture-${batch}` })])
      await warehouse.close()
    }
    await land(0)
    const backup = join(folder, 'one')
    await json('backup', backup, '--data-dir', data, '--json')
    await land(1)
    for (const kind of ['first', 'second']) {
      let step = 0
      for (let isDone = false; !isDone; step += 1) {
        const target = join(folder, `${kind}-${step}`)
        if (kind === 'second') await cp(backup, target, { recursive: true, filter: (path) => !path.endsWith('.lock') })
        isDone = await backUpUntil(step, target, data)
        if (kind === 'second') expect((await run('restore', target, '--verify')).code, `${step}`).toBe(0)
        const { code, stderr } = await run('backup', target, '--data-dir', data)
        expect([kind, step, code, stderr]).toEqual([kind, step, 0, expect.stringContaining('Copying: done')])
        expect((await run('restore', target, '--verify')).code).toBe(0)
        expect((await readdir(target)).sort()).toEqual(['holdshort-backup', 'locks'])
        const names = await readdir(target, { recursive: true })
        expect(names.filter((name) => /\.tmp|\.new/.test(name))).toEqual([])
        await rm(target, { recursive: true })
      }
      expect(step).toBeGreaterThan(10)
    }
  },
  600_000,
)

import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, mkdtemp, open, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { checkWarehouse } from '../../bin/doctor/check-folder.ts'
import { runCheck } from '../../bin/doctor/finding.ts'
import { CLI } from '../../bin/runtime/supervise.ts'
import { DAY_MS } from '../../config/domain.ts'
import type { HoldshortError } from '../../config/errors.ts'
import { dataPaths } from '../../config/settings.ts'
import { recoverCaptures } from '../../pipeline/collecting/replay.ts'
import { CHANGES } from '../../warehouse/storage/changes.ts'
import { keepHouse, readInFull } from '../../warehouse/storage/housekeeping.ts'
import { openWarehouse } from '../../warehouse/storage/warehouse.ts'
import { rowCounts } from './file-faults.ts'
import { randomFrom } from './harms.ts'
import { collectAt, NOW, settingsOf } from './installation.ts'
import type { Outcome } from './outcome.ts'

/** Rows that raw captures give back. */
const OBSERVATIONS = ['readings', 'delays', 'metars', 'tafs', 'places']

/** Collects for some minutes more after the copy of the warehouse, so that it lacks some rows; a second folder keeps the log of the last landing. */
async function prepare(installation: string): Promise<{ checkpointed: string; logged: string }> {
  const [checkpointed, logged] = await Promise.all(
    ['whole', 'log'].map((name) => mkdtemp(join(tmpdir(), `holdshort-bits-${name}-`))),
  )
  await cp(installation, checkpointed!, { recursive: true, preserveTimestamps: true })
  await collectAt(checkpointed!, [NOW + 300_000, NOW + 600_000])
  const log = `${dataPaths(logged!).warehouse_file}.wal`
  // On a busy machine the engine may have let go of the file, and of its log, before it is copied.
  for (let attempt = 0; attempt < 5 && !existsSync(log); attempt += 1)
    await collectAt(checkpointed!, [NOW + 900_000 + attempt * 60_000], () =>
      // Another process copies: this one must not open the file while its engine has it.
      execFileSync('cp', ['-a', `${checkpointed}/.`, logged!]),
    )
  return { checkpointed: checkpointed!, logged: logged! }
}

/** Flips a bit of the file of the warehouse, or of its log, at random places. */
export async function bitFaults(
  installation: string,
  seed: number,
  flips: number,
  onProgress = (_done: number) => {},
): Promise<Outcome[]> {
  const random = randomFrom(seed)
  const outcomes: Outcome[] = []
  const { checkpointed, logged } = await prepare(installation)
  try {
    const truth = { checkpointed: await contentsOf(checkpointed), logged: await contentsOf(await copied(logged)) }
    const hasLog = existsSync(`${dataPaths(logged).warehouse_file}.wal`)
    for (let flip = 0; flip < flips; flip += 1) {
      const isLog = hasLog && flip % 8 === 7
      const outcome = isLog
        ? await tryFlip(logged, `${dataPaths('').warehouse_file}.wal`, random, truth.logged)
        : await tryFlip(checkpointed, dataPaths('').warehouse_file, random, truth.checkpointed)
      outcomes.push(outcome)
      onProgress(flip)
    }
  } finally {
    for (const folder of [checkpointed, logged]) await rm(folder, { recursive: true, force: true })
  }
  return outcomes
}

interface Contents {
  /** The rows of each table, and a sum over all of their values. */
  sums: string
  counts: Map<string, number>
}

async function contentsOf(folder: string): Promise<Contents> {
  // Upkeep trims what is known of changes.
  const sums = (await readInFull(folder, 20_000)).filter(({ name }) => name !== CHANGES)
  return { sums: JSON.stringify(sums), counts: new Map(sums.map(({ name, rows }) => [name, rows])) }
}

async function copied(folder: string): Promise<string> {
  const copy = await mkdtemp(join(tmpdir(), 'holdshort-bit-'))
  // Whoever uses the original does not use its copy.
  await cp(folder, copy, { recursive: true, preserveTimestamps: true, filter: (path) => basename(path) !== 'locks' })
  return copy
}

async function tryFlip(original: string, path: string, random: () => number, truth: Contents): Promise<Outcome> {
  const folder = await copied(original)
  const problems: string[] = []
  const file = join(folder, path)
  const { size } = await stat(file)
  const at = Math.floor(random() * size)
  const bit = Math.floor(random() * 8)
  const bytes = await open(file, 'r+')
  const { buffer } = await bytes.read(Buffer.alloc(1), 0, 1, at)
  await bytes.write(Buffer.of(buffer[0]! ^ (1 << bit)), 0, 1, at)
  await bytes.close()
  const isLog = path.endsWith('.wal')
  let lost = 0
  let verdict = 'unnoticed'
  const started = performance.now()
  try {
    const { warehouse_copy } = dataPaths(folder)
    const copyBefore = await readFile(warehouse_copy)
    const finding = await runCheck('warehouse', () => checkWarehouse(settingsOf(folder)))
    const isNamed = finding.level === 'wrong'
    if (isNamed && !finding.says.includes('holdshort repair')) problems.push(`the doctor says: ${finding.says}`)
    const nightly = await nightlyCopy(folder)
    if (isNamed) {
      verdict = 'named and repaired'
      if (nightly !== 'WAREHOUSE_CORRUPT') problems.push(`the nightly copy ends with ${nightly}`)
      if (!(await readFile(warehouse_copy)).equals(copyBefore))
        problems.push('the nightly copy replaced the last good one')
      const report = execFileSync(process.execPath, [CLI, 'repair', '--json', '--data-dir', folder], { stdio: 'pipe' })
      const { damaged, rows, copied_rows } = JSON.parse(String(report)) as Record<string, number | boolean>
      if (!damaged) problems.push('repair says that nothing is damaged')
      verdict += `: ${copied_rows} rows of the copy, ${rows} of captures`
      const after = await rowCounts(folder)
      for (const table of OBSERVATIONS) {
        const missing = (truth.counts.get(table) ?? 0) - (after.get(table) ?? 0)
        if (missing > 0) lost += missing
        if (missing !== 0) problems.push(`${table} has ${missing} rows less after the repair`)
      }
      const again = await runCheck('warehouse', () => checkWarehouse(settingsOf(folder)))
      if (again.level !== 'ok') problems.push(`after the repair the doctor says: ${again.says}`)
    } else {
      if (nightly !== 'copied') problems.push(`the doctor finds nothing, and the nightly copy ends with ${nightly}`)
      const isSame = (await contentsOf(folder)).sums === truth.sums
      if (!isSame && !isLog) problems.push('rows changed, and nobody noticed')
      if (!isSame && isLog) {
        // A log with a wrong length looks like one whose end was never written. The captures have the rows, as after a kill.
        verdict = 'taken for the end of the log; the next start lands the captures again'
        const warehouse = await openWarehouse(folder)
        await recoverCaptures(warehouse, NOW + 3_600_000).finally(warehouse.close)
        const after = await rowCounts(folder)
        for (const table of OBSERVATIONS) {
          const missing = (truth.counts.get(table) ?? 0) - (after.get(table) ?? 0)
          if (missing > 0) lost += missing
          if (missing !== 0) problems.push(`${table} has ${missing} rows less after the start`)
        }
      }
    }
  } catch (error) {
    problems.push(`${(error as HoldshortError).code ?? ''} ${(error as Error).message}`.trim().slice(0, 300))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  return {
    kind: `bit flipped in ${isLog ? 'the log' : 'the file'}`,
    what: `byte ${at} of ${size}, bit ${bit}: ${verdict}`,
    lost,
    problems,
    healthyMs: performance.now() - started,
  }
}

/** What becomes of the copy of the next night. */
async function nightlyCopy(folder: string): Promise<string> {
  const warehouse = await openWarehouse(folder)
  try {
    const { copied: isCopied } = await keepHouse(warehouse, NOW + 2 * DAY_MS)
    return isCopied ? 'copied' : 'no copy'
  } catch (error) {
    return (error as HoldshortError).code ?? (error as Error).message
  } finally {
    await warehouse.close().catch(() => undefined)
  }
}

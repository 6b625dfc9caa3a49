import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { dataPaths } from '../../config/settings.ts'
import { isoUtc } from '../../config/vocabulary.ts'
import { seededRandom } from '../../forecasting/statistics/statistics.ts'
import { openDuckdb, readRows, withConnection } from '../../warehouse/storage/duckdb.ts'
import { openWarehouse } from '../../warehouse/storage/warehouse.ts'
import { readings } from '../../warehouse/tables/readings.ts'
import { repetitions } from '../exhaustive.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { landedAt, reading } from '../warehouse/test-rows.ts'
import { ROUNDS, SEED } from './harms.ts'

const NOW = Date.parse('2026-11-21T10:00:00Z')
const LANDINGS = 10
const ROWS = 40
const FLIPS = repetitions(40, 300) * ROUNDS

const landing = (number: number) =>
  Array.from({ length: ROWS }, (_, index) => {
    const instant = isoUtc(NOW + (number * ROWS + index) * 1_000)
    return reading({ ...landedAt(instant), capture_id: `capture-${number}` })
  })

/** A file and its log with some landings. */
async function fileWithLog(): Promise<{ file: Buffer; log: Buffer }> {
  const folder = await temporaryFolder()
  const { warehouse_file } = dataPaths(folder)
  const saved = join(folder, 'saved')
  await using warehouse = await openWarehouse(folder)
  await warehouse.write(async () => undefined)
  for (let attempt = 0; ; attempt += 1) {
    await warehouse.write(async ({ connection }) => void (await connection.run('DELETE FROM readings')))
    await warehouse.checkpoint()
    for (let number = 0; number < LANDINGS; number += 1) await warehouse.land(readings, landing(number))
    try {
      // Another process copies: this one must not open the file while its engine has it.
      for (const end of ['', '.wal'])
        execFileSync('cp', [`${warehouse_file}${end}`, `${saved}${end}`], { stdio: 'ignore' })
      return { file: readFileSync(saved), log: readFileSync(`${saved}.wal`) }
    } catch (error) {
      // On a busy machine the engine may have let go of the file meanwhile, which ends the log.
      if (attempt > 5) throw error
    }
  }
}

/** The readings of each landing and a sum over all their values, or why the engine refuses the two files. */
async function readBy(path: string): Promise<string> {
  const engine = await openDuckdb('/tmp')
  try {
    return await withConnection(engine, async (connection) => {
      await connection.run(`ATTACH '${path}' AS f (TYPE duckdb, READ_ONLY)`)
      const rows = await readRows(
        connection,
        'SELECT capture_id, count(*) AS n, bit_xor(hash(r))::VARCHAR AS sum FROM f.readings r GROUP BY 1 ORDER BY 1',
      )
      return JSON.stringify(rows)
    })
  } catch (error) {
    return `refused: ${(error as Error).message.split('\n')[0]}`
  } finally {
    engine.closeSync()
  }
}

test(
  'a flipped bit of the log is refused, or ends the log before a whole landing, and changes no value',
  async () => {
    const { file, log } = await fileWithLog()
    const path = join(await temporaryFolder(), 'flipped')
    const read = (bytes: Buffer) => {
      writeFileSync(path, file)
      writeFileSync(`${path}.wal`, bytes)
      return readBy(path)
    }
    const whole = JSON.parse(await read(log)) as { capture_id: string }[]
    expect(whole).toHaveLength(LANDINGS)
    const beginnings = whole.map((_, count) => JSON.stringify(whole.slice(0, count)))
    const random = seededRandom(SEED)
    const outcomes = { refused: 0, unchanged: 0, ended_early: 0 }
    for (let flip = 0; flip < FLIPS; flip += 1) {
      const bytes = Buffer.from(log)
      const position = Math.floor(random() * bytes.length)
      bytes[position]! ^= 1 << Math.floor(random() * 8)
      const found = await read(bytes)
      if (found.startsWith('refused: ')) outcomes.refused += 1
      else if (found === JSON.stringify(whole)) outcomes.unchanged += 1
      else {
        expect(beginnings, `byte ${position} of ${bytes.length}`).toContain(found)
        outcomes.ended_early += 1
      }
    }
    process.stdout.write(`${FLIPS} flipped bits in a log of ${log.length} bytes: ${JSON.stringify(outcomes)}\n`)
    expect(outcomes.refused).toBeGreaterThan(FLIPS * 0.9)
  },
  120_000 * ROUNDS,
)

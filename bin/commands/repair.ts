import { existsSync } from 'node:fs'
import { copyFile, rename, stat } from 'node:fs/promises'
import type { Command } from 'commander'
import { DAY_MS, isoUtc } from '../../config/domain.ts'
import { HoldshortError } from '../../config/errors.ts'
import { dataPaths } from '../../config/settings.ts'
import { replay } from '../../pipeline/collecting/replay.ts'
import { holdDataFolder } from '../../warehouse/storage/folder-use.ts'
import { readInFull, rowsIn } from '../../warehouse/storage/housekeeping.ts'
import { rollUp } from '../../warehouse/storage/rollup.ts'
import { rollUpSources } from '../../warehouse/storage/source-hours.ts'
import { openWarehouse } from '../../warehouse/storage/warehouse.ts'
import { settingsOfExisting } from '../runtime/environment.ts'
import { addDataCommand, type DataFlags } from '../runtime/help.ts'
import { print, progress } from '../runtime/output.ts'

/** `holdshort repair`: puts the last copy in the place of a damaged warehouse, and parses the captures since then again. */
export function register(program: Command): void {
  addDataCommand(program, 'repair').action(repair)
}

async function repair(flags: DataFlags): Promise<void> {
  const { data_dir } = settingsOfExisting(flags)
  await using _use = await holdDataFolder(data_dir)
  const sound = await rowsOf(data_dir)
  if (sound !== null)
    return print({ damaged: false, rows: sound }, flags.json, () => `sound: ${sound} rows; nothing to repair`)
  const result = await replaceByCopy(data_dir)
  print(
    result,
    flags.json,
    () =>
      `${result.copied_rows} rows of the copy of ${result.copy_of ?? 'no time: there was none'}, and ${result.rows} rows of ${result.captures} captures since then; the damaged file is ${result.kept}. Rows that were imported since then must be imported again.`,
  )
}

const WAIT_MS = 10_000

/** How many rows can be read; null when the warehouse is damaged. */
async function rowsOf(dataDir: string): Promise<number | null> {
  try {
    return rowsIn(await readInFull(dataDir, WAIT_MS))
  } catch (error) {
    if (error instanceof HoldshortError && error.code === 'WAREHOUSE_CORRUPT') return null
    throw error
  }
}

/** Captures that came shortly before the copy may have landed after it. */
const OVERLAP_MS = DAY_MS

async function replaceByCopy(dataDir: string) {
  const { warehouse_file, warehouse_copy } = dataPaths(dataDir)
  const kept = warehouse_file.replace(/warehouse\.duckdb$/, `damaged-${isoUtc(Date.now()).replace(/[-:]/g, '')}.duckdb`)
  const copiedAt = existsSync(warehouse_copy) ? (await stat(warehouse_copy)).mtimeMs : null
  if (copiedAt !== null) await copyFile(warehouse_copy, `${warehouse_file}.${process.pid}.tmp`)
  for (const end of ['', '.wal'])
    await rename(`${warehouse_file}${end}`, `${kept}${end}`).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error
    })
  if (copiedAt !== null) await rename(`${warehouse_file}.${process.pid}.tmp`, warehouse_file)
  const copied_rows = (await rowsOf(dataDir)) ?? 0
  await using warehouse = await openWarehouse(dataDir)
  const bar = progress('Parsing captures')
  const from = copiedAt === null ? {} : { from: isoUtc(copiedAt - OVERLAP_MS).slice(0, 10) }
  const { captures, rows, failed } = await replay(warehouse, from, bar.update)
  await rollUpSources(warehouse, Date.now())
  await rollUp(warehouse)
  bar.end()
  const copy_of = copiedAt === null ? null : isoUtc(copiedAt)
  return { damaged: true, copy_of, copied_rows, captures, rows, failed: failed.length, kept }
}

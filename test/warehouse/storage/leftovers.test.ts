import { existsSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { sweepLeftovers } from '../../../warehouse/storage/leftovers.ts'
import { openWarehouse } from '../../../warehouse/storage/warehouse.ts'
import { temporaryFolder } from '../../temporary-folder.ts'

const DEAD = 4_999_999
const NOW = Date.parse('2026-11-22T12:00:00Z')

test('deletes what dead processes left half written, and nothing else', async () => {
  const folder = await temporaryFolder()
  const write = (path: string, minutesOld: number) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), '')
    const time = new Date(NOW - minutesOld * 60_000)
    utimesSync(join(folder, path), time, time)
    utimesSync(dirname(join(folder, path)), time, time)
    return path
  }
  const abandoned = [
    write(`raw/source=sea-cwt/date=2026-11-20/sea-cwt-20261120100000-0123456789ab.gz.${DEAD}.tmp`, 90),
    write(`snapshots/CURRENT.${DEAD}.tmp`, 90),
    write(`warehouse/copy.duckdb.${DEAD}.tmp`, 90),
    write(`world.json.${DEAD}.tmp`, 90),
    write(`models/security/JFK/.JFK@2026-11-20T04Z.${DEAD}/weights.bin`, 90),
  ]
  const foldersOfThem = [`models/security/JFK/.JFK@2026-11-20T04Z.${DEAD}`]
  const inSnapshot = write(`snapshots/20261120T100000Z.${DEAD}.tmp/facts.json`, 90)
  const inScratch = write(`scratch/${DEAD}/rows.ndjson`, 1)
  const others = [
    write(`raw/source=sea-cwt/date=2026-11-20/sea-cwt-20261120100001-0123456789ab.gz.${DEAD}.tmp`, 10),
    write('raw/source=sea-cwt/date=2026-11-20/sea-cwt-20261120100001-0123456789ab.gz', 90),
    write(`raw/source=sea-cwt/date=2026-11-20/mine.gz.${DEAD}.tmp`, 90),
    write(`snapshots/20261120T090000Z.${DEAD}.tmp/thesis.txt`, 90),
    write('thesis.tmp', 90),
    write(`thesis.txt.${DEAD}.tmp`, 90),
    write('models/mine.tmp', 90),
    write('scratch/notes/mine.txt', 90),
  ]
  const warehouse = await openWarehouse(folder)
  const deleted = await sweepLeftovers(folder, NOW)
  const gone = [`scratch/${DEAD}`, inSnapshot, dirname(inSnapshot), ...abandoned, ...foldersOfThem]
  expect(deleted.sort()).toEqual(gone.sort())
  for (const path of [...abandoned, inSnapshot, inScratch])
    expect([path, existsSync(join(folder, path))]).toEqual([path, false])
  for (const path of [...others, `scratch/${process.pid}`])
    expect([path, existsSync(join(folder, path))]).toEqual([path, true])
  await warehouse.close()
})

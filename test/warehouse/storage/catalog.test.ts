import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { projectFile } from '../../../config/paths.ts'
import { dataPaths } from '../../../config/settings.ts'
import { asCatalogError } from '../../../warehouse/storage/catalog.ts'
import { openWarehouse } from '../../../warehouse/storage/warehouse.ts'
import { readings } from '../../../warehouse/tables/readings.ts'
import { EXHAUSTIVE, repetitions } from '../../exhaustive.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { newWarehouse } from '../new-warehouse.ts'
import { reading } from '../test-rows.ts'

const rowOf = (checkpoint: string) => reading({ checkpoint })
const ROUNDS = repetitions(4, 12)
const COUNT = 'SELECT count(*) AS n FROM readings'

test.each([
  ['Read-only file system', /the disk is read-only, .*mount it again$/],
  ['Permission denied', /change its permissions, or run this as its owner$/],
])('a file that cannot be opened with %j is named with its way out', (reason, message) => {
  const error = new Error(`IO Error: Cannot open file "/srv/data/warehouse.duckdb": ${reason}`)
  expect(asCatalogError(error)).toMatchObject({
    code: 'DATA_FOLDER_UNUSABLE',
    message: expect.stringMatching(message),
  })
})

test('opening and closing over and over in one process never opens the file twice, and loses nothing', async () => {
  const folder = await temporaryFolder()
  const worker = async (name: string) => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const warehouse = await openWarehouse(folder)
      expect(await warehouse.land(readings, [rowOf(`${name}-${round}`)])).toBe(1)
      await warehouse.query(COUNT)
      await warehouse.close()
    }
  }
  await Promise.all(['a', 'b', 'c'].map(worker))
  const warehouse = await openWarehouse(folder)
  expect(await warehouse.query(COUNT)).toEqual([{ n: 3 * ROUNDS }])
  await warehouse.close()
})

test.runIf(EXHAUSTIVE)(
  'a process that holds the file is named to the one that waits, which goes on when it lets go',
  async () => {
    const folder = await temporaryFolder()
    const warehouse = await openWarehouse(folder, { waitMs: 300 })
    await warehouse.land(readings, [rowOf('before')])
    // An idle process lets go.
    await sleep(100)
    const holder = spawn(process.execPath, [projectFile('dist', 'test', 'programs', 'hold-warehouse.js'), folder], {
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    await once(holder.stdout, 'data')
    const refused = warehouse.land(readings, [rowOf('during')])
    await expect(refused).rejects.toMatchObject({
      code: 'WAREHOUSE_LOCKED',
      message: expect.stringContaining(`process ${holder.pid}`),
    })
    const patient = await openWarehouse(folder)
    const landing = patient.land(readings, [rowOf('after')])
    await sleep(100)
    holder.stdin.end()
    expect(await landing).toBe(1)
    expect(await patient.query(COUNT)).toEqual([{ n: 3 }])
    await patient.close()
    await warehouse.close()
  },
)

test('work within work shares its hold, and does not wait for it', async () => {
  const warehouse = await newWarehouse()
  const counted = await warehouse.write(async ({ connection }) => {
    await connection.run('CREATE TEMP TABLE t AS SELECT 1')
    // Longer than a process may hold the file without letting others have it.
    await sleep(1_200)
    return warehouse.query(COUNT)
  })
  expect(counted).toEqual([{ n: 0 }])
})

test('a file whose making was killed has another name, is removed, and hides no warehouse', async () => {
  const folder = await temporaryFolder()
  const { warehouse: place, warehouse_file } = dataPaths(folder)
  await mkdir(place, { recursive: true })
  await writeFile(`${warehouse_file}.4711.new`, 'the first bytes of a header')
  const [first, second] = await Promise.all([openWarehouse(folder), openWarehouse(folder)])
  await Promise.all([first.land(readings, [rowOf('a')]), second.land(readings, [rowOf('b')])])
  expect(await first.query(COUNT)).toEqual([{ n: 2 }])
  await Promise.all([first.close(), second.close()])
  expect((await readdir(place)).filter((name) => name.includes('.new'))).toEqual([])
})

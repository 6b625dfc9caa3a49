import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { maxConnections } from '../../../config/open-files.ts'
import { projectFile } from '../../../config/paths.ts'
import { dataPaths } from '../../../config/settings.ts'
import { currentSnapshotId } from '../../../warehouse/publishing/snapshot/names.ts'
import { readings } from '../../../warehouse/tables/readings.ts'
import { refreshAt } from '../../faults/installation.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { newWarehouse } from '../new-warehouse.ts'
import { reading } from '../test-rows.ts'

test('a process without open files calls nothing damaged or gone', async () => {
  const folder = await temporaryFolder()
  const warehouse = await newWarehouse(folder)
  await warehouse.land(readings, [reading({ observed_at: '2026-11-20T10:00:00Z' })])
  await refreshAt(warehouse, Date.parse('2026-11-20T10:05:00Z'))
  await warehouse.close()
  const id = await currentSnapshotId(dataPaths(folder).snapshots)
  const program = projectFile('dist', 'test', 'programs', 'use-up-files.js')
  const words = ['-c', 'ulimit -n 200; exec "$0" "$1" "$2"', process.execPath, program, folder]
  const { stdout } = await promisify(execFile)('sh', words)
  expect(JSON.parse(stdout)).toEqual({
    without: { fault: null, loaded: 'EMFILE', warehouse: expect.stringContaining('Too many open files') },
    again: { fault: null, loaded: id, warehouse: 'readable' },
    rejected: [],
  })
})

test('connections leave open files for everything else', () => {
  expect(maxConnections(1_000)).toBe(700)
  expect(maxConnections(null)).toBe(null)
})

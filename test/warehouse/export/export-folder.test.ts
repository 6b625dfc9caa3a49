import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openExportFolder, STAGING } from '../../../warehouse/export/export-folder.ts'
import { takeLease } from '../../../warehouse/storage/lease.ts'
import { temporaryFolder } from '../../temporary-folder.ts'

/** What a first export has made before it has written its state: its lock, and half of a file. */
async function begin(folder: string) {
  await mkdir(join(folder, STAGING))
  const taken = await takeLease(join(folder, STAGING, 'locks'), 'export', { waitMs: 0, mayReplaceFrozen: false })
  if (!('lease' in taken)) throw new Error('the lease is held')
  await stage(folder)
  return taken.lease
}

const stage = async (folder: string) => {
  await mkdir(join(folder, STAGING, 'data'), { recursive: true })
  await writeFile(join(folder, STAGING, 'data', 'part.parquet'), 'half')
}

test('a second first export into a folder names who is exporting into it', async () => {
  const folder = await temporaryFolder()
  const lease = await begin(folder)
  await expect(openExportFolder(folder)).rejects.toMatchObject({
    code: 'CONFLICT',
    message: expect.stringContaining(`process ${process.pid}`),
  })
  await lease.release()
})

test('a folder whose first export was killed can be exported into', async () => {
  const folder = await temporaryFolder()
  await (await begin(folder)).release()
  const next = await openExportFolder(folder)
  expect(await readdir(join(folder, STAGING))).toEqual(['locks'])
  await next.release()
})

test('a folder of that name of somebody else is refused and stays as it is', async () => {
  const folder = await temporaryFolder()
  await stage(folder)
  await expect(openExportFolder(folder)).rejects.toMatchObject({ code: 'USAGE' })
  expect(await readdir(join(folder, STAGING, 'data'))).toEqual(['part.parquet'])
})

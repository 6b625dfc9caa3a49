import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openExportFolder, STAGING } from '../../../warehouse/export/export-folder.ts'
import { takeOnlyLock } from '../../../warehouse/storage/file-lock.ts'
import { temporaryFolder } from '../../temporary-folder.ts'

/** What a first export has made before it has written its state: its lock, and half of a file. */
async function begin(folder: string) {
  await mkdir(join(folder, STAGING))
  const lock = await takeOnlyLock(folder, join(folder, STAGING, 'locks'), 'export')
  await stage(folder)
  return lock
}

const stage = async (folder: string) => {
  await mkdir(join(folder, STAGING, 'data'), { recursive: true })
  await writeFile(join(folder, STAGING, 'data', 'part.parquet'), 'half')
}

test('a second first export into a folder names who is exporting into it', async () => {
  const folder = await temporaryFolder()
  const lock = await begin(folder)
  await expect(openExportFolder(folder)).rejects.toMatchObject({
    code: 'CONFLICT',
    message: expect.stringContaining(`process ${process.pid}`),
  })
  await lock.release()
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

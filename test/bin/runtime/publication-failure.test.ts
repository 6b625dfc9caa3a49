import { rm, writeFile } from 'node:fs/promises'
import { expect, onTestFinished, test } from 'vitest'
import { openLog } from '../../../bin/runtime/log.ts'
import { openPipeline } from '../../../bin/runtime/pipeline.ts'
import { dataPaths, readSettings } from '../../../config/settings.ts'
import { temporaryFolder } from '../../temporary-folder.ts'

test('a pipeline knows why its last publication failed, until one succeeds', async () => {
  const settings = readSettings({ HOLDSHORT_DATA_DIR: await temporaryFolder(), HOLDSHORT_LOG_LEVEL: 'silent' })
  const pipeline = await openPipeline(settings, openLog(settings, 'test'))
  onTestFinished(() => pipeline.close())
  expect(pipeline.publicationFailure()).toBe(null)
  const { snapshots } = dataPaths(settings.data_dir)
  await writeFile(snapshots, 'a file in the place of the folder')
  await expect(pipeline.publishAtOnce()).rejects.toThrow()
  expect(pipeline.publicationFailure()).toBe('INTERNAL')
  await rm(snapshots)
  await pipeline.publishAtOnce()
  expect(pipeline.publicationFailure()).toBe(null)
}, 60_000)

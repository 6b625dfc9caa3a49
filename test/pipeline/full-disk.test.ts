import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { startSimulatedWorld } from '../../pipeline/simulator/server.ts'
import { mountSmallDisk } from '../small-disk.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { openTestPipeline, testTransport } from './test-pipeline.ts'

const MB = 1_048_576

/** Fills the disk by page; again it fills what the engine has freed meanwhile. */
async function fill(path: string): Promise<void> {
  const file = await open(path, 'a')
  try {
    for (;;) await file.write(Buffer.alloc(4_096))
  } catch (error) {
    expect(error).toMatchObject({ code: 'ENOSPC' })
  } finally {
    await file.close()
  }
}

it('a full disk fails the run with DISK_FULL and loses no landed row; collecting resumes when there is space', async (test) => {
  const folder = await temporaryFolder()
  if (!mountSmallDisk(folder, 8 * MB)) test.skip('only root can mount the small disk of this test')
  let clock = Date.parse('2026-11-20T15:00:20Z')
  const simulator = await startSimulatedWorld({ seed: 7, now: () => clock })
  const pipeline = await openTestPipeline(folder, testTransport(simulator.url, { now: () => clock }), () => clock)
  const rows = () => pipeline.warehouse.query('SELECT * FROM readings ORDER BY ALL')
  expect((await pipeline.collect('sea-cwt'))[0]?.error).toBeNull()
  const landed = await rows()
  const snapshot = await pipeline.publishAt(clock)

  const ballast = join(folder, 'ballast')
  clock += 300_000
  const codes = []
  for (const id of ['sea-cwt', 'jax-html']) {
    await fill(ballast)
    codes.push(
      await pipeline.collect(id).then(
        ([outcome]) => outcome?.error?.code,
        (error: { code?: string }) => error.code,
      ),
    )
  }
  expect(codes).toEqual(['DISK_FULL', 'DISK_FULL'])
  await fill(ballast)
  await expect(pipeline.publishAt(clock)).rejects.toMatchObject({ code: 'DISK_FULL' })
  expect(await rows()).toEqual(landed)

  await rm(ballast)
  clock += 300_000
  expect((await pipeline.collect('sea-cwt'))[0]).toMatchObject({ error: null })
  expect((await rows()).length).toBeGreaterThan(landed.length)
  expect((await pipeline.publishAt(clock)).id).not.toBe(snapshot.id)
  await pipeline.close()
  await simulator.close()
})

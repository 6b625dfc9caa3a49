import { rm } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { repetitions } from '../exhaustive.ts'
import { bitFaults } from './bit-faults.ts'
import { fullDiskFaults } from './full-disk-faults.ts'
import { makeInstallation } from './installation.ts'

const SEED = 1

test('a full disk refuses a commit, loses nothing that was acknowledged, and all goes on once there is space', async () => {
  for (const { kind, what, problems } of await fullDiskFaults(SEED, repetitions(1, 3)))
    expect([kind, what, problems]).toEqual([kind, what, []])
}, 120_000)

test('a flipped bit of the file is named, and repaired from the copy and the captures', async () => {
  const installation = await makeInstallation()
  try {
    for (const { kind, what, problems } of await bitFaults(installation, SEED, repetitions(2, 16)))
      expect([kind, what, problems]).toEqual([kind, what, []])
  } finally {
    await rm(installation, { recursive: true, force: true })
  }
}, 240_000)

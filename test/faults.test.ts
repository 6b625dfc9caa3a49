import { rm } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { EXHAUSTIVE, repetitions } from './exhaustive.ts'
import { clockFaults } from './faults/clock-faults.ts'
import { fileFaults, rowCounts, tryFileFault } from './faults/file-faults.ts'
import { randomFrom } from './faults/harms.ts'
import { makeInstallation } from './faults/installation.ts'
import { pairFaults } from './faults/pair-faults.ts'
import { splitFaults } from './faults/split-faults.ts'

/** The short form of `npm run faults`. */
let installation = ''
let before = new Map<string, number>()
beforeAll(async () => {
  installation = await makeInstallation()
  before = await rowCounts(installation)
}, 120_000)
afterAll(() => rm(installation, { recursive: true, force: true }))

const SEED = 1

test('harmed files of every kind lose no row that was acknowledged, and the doctor names them', async () => {
  const faults = await fileFaults(installation, SEED)
  const random = randomFrom(SEED)
  const drawn = faults.toSorted(() => random() - 0.5).slice(0, repetitions(2, 24))
  for (const fault of drawn) {
    const { problems, lost } = await tryFileFault(installation, fault, before)
    expect({ fault, problems, lost }).toEqual({ fault, problems: [], lost: 0 })
  }
}, 240_000)

test.runIf(EXHAUSTIVE)(
  'a clock that was set to and fro loses nothing and is set right',
  async () => {
    for (const { kind, problems } of await clockFaults(installation)) expect([kind, problems]).toEqual([kind, []])
  },
  240_000,
)

test.runIf(EXHAUSTIVE)(
  'a part of the data folder on another disk is no difference',
  async () => {
    for (const { kind, problems } of await splitFaults(installation)) expect([kind, problems]).toEqual([kind, []])
  },
  240_000,
)

test.runIf(EXHAUSTIVE)(
  'of two writers one is frozen or killed, and nothing acknowledged is lost',
  async () => {
    for (const { kind, what, problems } of await pairFaults(SEED, 3))
      expect([kind, what, problems]).toEqual([kind, what, []])
  },
  240_000,
)

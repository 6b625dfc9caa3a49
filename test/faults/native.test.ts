import { expect, test } from 'vitest'
import { killFaults } from './kill-faults.ts'
import type { Outcome } from './outcome.ts'
import { heldFaults, turnFaults } from './turn-faults.ts'

/** The short form of the faults of the warehouse file in `npm run faults`. */
const SEED = 1

function expectSurvived(outcomes: Outcome[]): void {
  const failures = outcomes.filter(({ problems, lost }) => problems.length > 0 || lost > 0)
  expect(failures).toEqual([])
}

test('kill −9 in a landing, a rollup, a retention, a checkpoint and a copy loses, doubles and halves nothing', async () => {
  expectSurvived(await killFaults(SEED, 40))
}, 240_000)

test('landings wait for an analyst who holds the file, and then all of them arrive', async () => {
  expectSurvived(await heldFaults(8))
}, 60_000)

test('processes take turns at the file without an error', async () => {
  expectSurvived(await turnFaults(20))
}, 120_000)

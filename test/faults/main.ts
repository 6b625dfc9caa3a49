import { rm } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { print, printError, progress, textTable } from '../../bin/runtime/output.ts'
import { bitFaults } from './bit-faults.ts'
import { clockFaults } from './clock-faults.ts'
import { diskFaults } from './disk-faults.ts'
import { fileFaults, rowCounts, tryFileFault } from './file-faults.ts'
import { fullDiskFaults } from './full-disk-faults.ts'
import { growthFaults } from './growth.ts'
import { makeInstallation } from './installation.ts'
import { killFaults } from './kill-faults.ts'
import type { Outcome } from './outcome.ts'
import { pairFaults } from './pair-faults.ts'
import { splitFaults } from './split-faults.ts'
import { heldFaults, turnFaults } from './turn-faults.ts'

/**
 * `npm run faults`: harms copies of a small installation in every way that disks, clocks and people do, starts them again
 * and compares them with what there was. Exit code 1 if a fault is not survived or a row is lost.
 */
const { values, positionals } = parseArgs({
  options: {
    json: { type: 'boolean' },
    seed: { type: 'string', default: '1' },
    rounds: { type: 'string', default: '1' },
    sample: { type: 'string', default: '1000' },
    kills: { type: 'string', default: '300' },
    flips: { type: 'string', default: '100' },
    days: { type: 'string', default: '30' },
    seconds: { type: 'string', default: '60' },
  },
  allowPositionals: true,
})
const PARTS = ['files', 'clocks', 'disks', 'split', 'pairs', 'kills', 'full', 'bits', 'days', 'held', 'turns']
const [seed, rounds, sample, kills, flips, days, seconds] = (
  [values.seed, values.rounds, values.sample, values.kills, values.flips, values.days, values.seconds] as const
).map(Number) as [number, number, number, number, number, number, number]
if (
  ![seed, rounds, sample, kills, flips, days, seconds].every(Number.isSafeInteger) ||
  positionals.some((name) => !PARTS.includes(name))
) {
  process.stderr.write(
    `--seed, --rounds, --sample (file faults of a round), --kills, --flips (of bits), --days (of growth) and --seconds (of processes taking turns) must be whole numbers; the parts are ${PARTS.join(', ')}\n`,
  )
  process.exit(2)
}
const isWanted = (part: string) => positionals.length === 0 || positionals.includes(part)
const outcomes: Outcome[] = []
const installation = await makeInstallation()
try {
  const bar = progress('Faults')
  if (isWanted('files')) {
    const before = await rowCounts(installation)
    for (let round = 0; round < rounds; round += 1) {
      const faults = await fileFaults(installation, seed + 1_000 * round)
      for (const [index, fault] of faults.slice(0, sample).entries()) {
        bar.update(index, faults.length, `${fault.kind}: ${fault.harm}`)
        const outcome = await tryFileFault(installation, fault, before)
        outcomes.push(outcome)
        if (outcome.problems.length > 0) printError(`${outcome.kind}, ${outcome.what}: ${outcome.problems.join('; ')}`)
      }
    }
  }
  if (isWanted('clocks')) outcomes.push(...(await clockFaults(installation)))
  if (isWanted('disks')) outcomes.push(...(await diskFaults(installation)))
  if (isWanted('split')) outcomes.push(...(await splitFaults(installation)))
  if (isWanted('pairs')) outcomes.push(...(await pairFaults(seed, 6 * rounds)))
  // What the warehouse file must survive.
  if (isWanted('kills')) outcomes.push(...(await killFaults(seed, kills, (done) => bar.update(done, kills, 'kills'))))
  if (isWanted('full')) outcomes.push(...(await fullDiskFaults(seed, 6 * rounds)))
  if (isWanted('bits'))
    outcomes.push(...(await bitFaults(installation, seed, flips, (done) => bar.update(done, flips, 'bits'))))
  if (isWanted('days'))
    outcomes.push(
      ...(await growthFaults(days, 2, ({ day, file_mb, used_mb, rows }) =>
        printError(`day ${day}: ${file_mb.toFixed(1)} MB, ${used_mb.toFixed(1)} of it used, ${rows} readings`),
      )),
    )
  if (isWanted('held')) outcomes.push(...(await heldFaults(seconds)))
  if (isWanted('turns')) {
    const turns = await turnFaults(seconds)
    outcomes.push(...turns)
    for (const { what } of turns) printError(what)
  }
  bar.end(`${outcomes.length} faults`)
} finally {
  await rm(installation, { recursive: true, force: true })
}

/** The figures of all faults of one kind. */
function figuresOf(kind: string) {
  const ofKind = outcomes.filter((outcome) => outcome.kind.split(':')[0] === kind)
  return {
    kind,
    tried: ofKind.length,
    survived: ofKind.filter(({ problems }) => problems.length === 0).length,
    lost: ofKind.reduce((sum, { lost }) => sum + lost, 0),
    slowest_seconds: Math.round(Math.max(...ofKind.map(({ healthyMs }) => healthyMs)) / 100) / 10,
  }
}

const kinds = [...new Set(outcomes.map(({ kind }) => kind.split(':')[0] ?? ''))].map(figuresOf)
const total = {
  kind: 'all',
  tried: outcomes.length,
  survived: kinds.reduce((sum, { survived }) => sum + survived, 0),
  lost: kinds.reduce((sum, { lost }) => sum + lost, 0),
  slowest_seconds: Math.max(...kinds.map(({ slowest_seconds }) => slowest_seconds)),
}
const failures = outcomes.filter(({ problems }) => problems.length > 0)
print({ kinds, total, failures }, values.json, () =>
  [
    textTable(
      ['kind of file or fault', 'tried', 'survived', 'rows lost', 'healthy within s'],
      [...kinds, total].map((row) => [row.kind, row.tried, row.survived, row.lost, row.slowest_seconds]),
    ),
    ...failures.map(({ kind, what, problems }) => `NOT SURVIVED ${kind}, ${what}: ${problems.join('; ')}`),
  ].join('\n'),
)
if (failures.length > 0 || total.lost > 0) process.exitCode = 1

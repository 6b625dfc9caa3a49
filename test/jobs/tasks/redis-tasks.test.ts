import { createHash } from 'node:crypto'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openTaskContents, taskPlace } from '../../../bin/runtime/task-contents.ts'
import { readSettings } from '../../../config/settings.ts'
import { DAY_MS } from '../../../config/vocabulary.ts'
import { openRedisTasks } from '../../../jobs/tasks/redis-tasks.ts'
import { createFitTask } from '../../../training/fits/fit-task.ts'
import { readWeights } from '../../../training/models/quantile-net.ts'
import { trainingSettings } from '../../../training/settings/training-settings.ts'
import { type TrainResult, trainSeries } from '../../../training/train.ts'
import { EXHAUSTIVE } from '../../exhaustive.ts'
import { freePort } from '../../free-port.ts'
import { startProgram } from '../../start-program.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { fakeSeries, peaks, START } from '../../training/fake-series.ts'
import { redisInstalled, redisOfTest } from '../redis/redis-server.ts'

const cutoff_ms = START + 40 * DAY_MS
const settings = trainingSettings({
  seeds: [1, 2],
  net: { hidden_units: [4] },
  net_share: { from_days: 0, full_days: 5 },
  fit: { epochs: 1, origin_step_hours: 24 },
  backtest: { hold_out_days: 8, refit_days: 4, burn_in_days: 4, every_hours: 24 },
})
const series = [fakeSeries(40, peaks(1)), fakeSeries(40, peaks(2), { iata: 'ZRH', timezone: 'Europe/Zurich' })]

/** The digest of everything that a training makes. */
const digestOf = ({ trained, untrained }: TrainResult) => {
  const text = JSON.stringify({
    untrained,
    trained: trained.map(({ artifact: { card, net, examples }, row, scores }) => ({
      card,
      weights: readWeights(net).map((weights) => [...weights]),
      normalisation: net.normalisation,
      examples,
      row,
      scores,
    })),
  })
  return createHash('sha256').update(text).digest('hex')
}

async function openInstallation(no_machine_ms: number) {
  const redis = await redisOfTest(await freePort())
  const data_dir = await temporaryFolder()
  const own = readSettings({ HOLDSHORT_DATA_DIR: data_dir })
  const place = taskPlace(own, Date.now())
  const reasons: string[] = []
  const tasks = openRedisTasks(createFitTask(), {
    redis_url: redis.url,
    build: 'this-build',
    place,
    contents: await openTaskContents(own, place),
    no_machine_ms,
    onLocal: (reason) => reasons.push(reason),
  })
  onTestFinished(() => tasks.close())
  const startMachine = async ({ build = 'this-build', hangs = false } = {}) => {
    const args = [redis.url, build, data_dir].concat(hangs ? 'hangs' : [])
    const { hasPrinted, kill, lines } = startProgram('task-machine', ...args)
    await hasPrinted(1)
    // The first line says that it serves.
    return { hasBegun: () => hasPrinted(2), kill, began: () => lines().length - 1 }
  }
  const train = () =>
    trainSeries(series, { kind: 'security', cutoff_ms, trained_ms: cutoff_ms, settings, tasks }).then(digestOf)
  return { startMachine, train, reasons, redis }
}

let aloneDigest: Promise<string> | null = null
const alone = () => {
  aloneDigest ??= trainSeries(series, { kind: 'security', cutoff_ms, trained_ms: cutoff_ms, settings }).then(digestOf)
  return aloneDigest
}

describe.runIf(redisInstalled && EXHAUSTIVE)('a training whose fits are a flow over Redis', () => {
  test('has the same bytes as one in a single process, and both machines take part', async () => {
    const { startMachine, train, reasons } = await openInstallation(60_000)
    const machines = await Promise.all([startMachine(), startMachine(), startMachine({ build: 'another-build' })])
    expect(await train()).toBe(await alone())
    expect(reasons).toEqual([])
    const [first, second, foreign] = machines.map(({ began }) => began())
    // Three refits of two days each before the last, and two seeds of the exported net.
    expect([first! + second!, foreign]).toEqual([5, 0])
    expect(Math.min(first!, second!)).toBeGreaterThan(0)
  }, 120_000)

  test('goes on elsewhere when a machine is killed in the middle of a fit', async () => {
    const { startMachine, train, reasons } = await openInstallation(60_000)
    const doomed = await startMachine({ hangs: true })
    const training = train()
    await doomed.hasBegun()
    await doomed.kill()
    const other = await startMachine()
    expect(await training).toBe(await alone())
    expect([reasons, other.began()]).toEqual([[], 5])
  }, 120_000)

  test('is done in its own process when only machines of another build are there, or Redis ends', async () => {
    const { startMachine, train, reasons, redis } = await openInstallation(2_000)
    const foreign = await startMachine({ build: 'another-build' })
    const expected = await alone()
    expect(await train()).toBe(expected)
    expect([reasons.length, foreign.began()]).toEqual([1, 0])
    const hanging = await startMachine({ hangs: true })
    const training = train()
    await hanging.hasBegun()
    await redis.kill()
    expect(await training).toBe(expected)
    expect(reasons).toHaveLength(2)
  }, 120_000)
})

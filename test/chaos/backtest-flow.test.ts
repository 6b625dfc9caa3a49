import { execFile } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { projectFile } from '../../config/paths.ts'
import { DAY_MS, isoUtc } from '../../config/vocabulary.ts'
import { exportHistory } from '../../pipeline/simulator/history.ts'
import { startInstallation, until } from '../../tools/chaos/installation.ts'
import { followPipelineLog } from '../../tools/chaos/machine-log.ts'
import { EXHAUSTIVE } from '../exhaustive.ts'
import { PARTS_MISSING } from '../shared-store/installation.ts'

const run = promisify(execFile)
const CLI = projectFile('dist', 'bin', 'holdshort.js')

const TO = Math.floor(Date.now() / DAY_MS) * DAY_MS - 2 * DAY_MS
const SEEDS = [1, 2]
const ORIGINS = { from: TO - 10 * DAY_MS, to: TO - 5 * DAY_MS }
/** Every other day, from the four days of burning in before the first origin to the last one. */
const REFITS = 5

/** The fits that a pipeline has done for others, by the cutoff and the seed. */
async function fitsOf(log: string): Promise<string[]> {
  const lines = (await readFile(log, 'utf8')).split('\n').filter((line) => line.includes('"task done"'))
  return lines.map((line) => {
    const { task, request } = JSON.parse(line) as { task: string; request: { cutoff_ms: number; seed: number } }
    return `${task} ${isoUtc(request.cutoff_ms)} ${request.seed}`
  })
}

test.runIf(EXHAUSTIVE && PARTS_MISSING === null)(
  'a backtest on one machine is fitted by the pipelines of the installation, and writes the same forecasts as alone',
  { timeout: 300_000 },
  async () => {
    const installation = await startInstallation({ serves: 0, works: 2 })
    onTestFinished(installation.close)
    const { machines, environment, folder, logOf } = installation
    await Promise.all(machines.map((machine) => machine.start()))
    const pipelines = machines.map(({ name }) => followPipelineLog(logOf(name)))
    await until('both pipelines are up', 120_000, async () =>
      (await Promise.all(pipelines.map((read) => read()))).every(({ isUp }) => isUp),
    )

    const whole = join(folder, 'whole.csv')
    const history = { seed: 7, from: TO - 35 * DAY_MS, to: TO, step_minutes: 60, kind: 'security' as const }
    await exportHistory(history, createWriteStream(whole))
    const [header, ...lines] = (await readFile(whole, 'utf8')).split('\n')
    const waits = join(folder, 'waits.csv')
    await writeFile(waits, [header, ...lines.filter((line) => /^(SEA|JAX)/.test(line))].join('\n'))
    const settings = join(folder, 'settings.json')
    const quick = JSON.parse(await readFile(projectFile('config', 'training', 'demo.json'), 'utf8')) as {
      backtest: object
    }
    const backtest = { ...quick.backtest, burn_in_days: 4, refit_days: 2 }
    await writeFile(settings, JSON.stringify({ ...quick, seeds: SEEDS, backtest }))

    // The machine of somebody who works on the models: a disk of its own, and the stores of the installation.
    const joined: NodeJS.ProcessEnv = { ...environment, HOLDSHORT_DATA_DIR: join(folder, 'engineer') }
    const { REDIS_URL: _, ...alone } = joined
    await run(process.execPath, [CLI, 'import', waits, '--kind', 'security'], { env: joined })
    await run(process.execPath, [CLI, 'run', 'rollup'], { env: joined })
    const forecasts = async (name: string, env: NodeJS.ProcessEnv) => {
      const out = join(folder, name)
      const span = ['--from', isoUtc(ORIGINS.from), '--to', isoUtc(ORIGINS.to), '--every', '24h']
      const { stderr } = await run(
        process.execPath,
        [CLI, 'backtest', ...span, '--settings', settings, '--out', out, '--json'],
        { env },
      )
      return { stderr, text: await readFile(out, 'utf8') }
    }
    const flow = await forecasts('flow.csv', joined)
    expect(flow.stderr).not.toContain('the fits are done in this process')
    expect(flow.text.split('\n').length).toBeGreaterThan(500)
    const [first = [], second = []] = await Promise.all(machines.map(({ name }) => fitsOf(logOf(name))))
    expect(new Set([...first, ...second]).size).toBe(REFITS * SEEDS.length)
    expect(Math.min(first.length, second.length)).toBeGreaterThan(0)

    // Redis ends while the fits are under way: the rest is fitted here, and the forecasts are the same.
    const interrupted = forecasts('interrupted.csv', joined)
    const before = first.length + second.length
    await until('a fit of the second run is done', 120_000, async () => {
      const done = await Promise.all(machines.map(({ name }) => fitsOf(logOf(name))))
      return done.flat().length > before
    })
    await installation.stores.redis.kill()
    const { stderr, text } = await interrupted
    expect(stderr).toContain('the fits are done in this process')
    expect(text).toBe(flow.text)
    expect((await forecasts('alone.csv', alone)).text).toBe(flow.text)
  },
)

import { fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { prepareDemo } from '../../bin/demo/prepare.ts'
import { openLog } from '../../bin/runtime/log.ts'
import { print, progress, textTable } from '../../bin/runtime/output.ts'
import { CLI } from '../../bin/runtime/supervised-child.ts'
import { airportDirectory } from '../../config/airports/directory.ts'
import { projectFile } from '../../config/paths.ts'
import { readSettings } from '../../config/settings.ts'
import { median } from '../../forecasting/statistics/statistics.ts'
import { checkSimulatedMark } from '../../warehouse/storage/simulated-mark.ts'
import { load } from '../bench/load.ts'
import { enterpriseHeaders, serveProcess } from '../bench/served-process.ts'

/**
 * `npm run soak:calls`: an api under a steady mixed load while a pipeline collects from the simulated world and publishes. Exit
 * code 1 when a call fails, when its memory grows by 10 % or more, or when the p99 of the median minute is 50 ms or more.
 */
const MAX_GROWTH = 0.1
const MAX_P99_MS = 50
const SECONDS_PER_MINUTE = 60
const AIRPORTS = 100

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '20' },
    rate: { type: 'string', default: '200' },
    json: { type: 'boolean' },
  },
})
const minutes = Number(values.minutes)
const rate = Number(values.rate)
if (![minutes, rate].every((value) => Number.isInteger(value) && value > 0)) {
  process.stderr.write('--minutes and --rate (calls a second) must be positive integers\n')
  process.exit(2)
}

const codes = airportDirectory()
  .all.slice(0, AIRPORTS)
  .map(({ iata }) => iata)
const paths = codes.flatMap((iata) => [
  `/api/v1/airports/${iata}/wait-times`,
  `/api/v1/airports/${iata}/delays`,
  `/api/v1/airports/${iata}/predictions`,
])
const call = (name: string, input: object) => ({
  headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
  body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: input } }),
})
const posts = codes.flatMap((iata) => [
  call('get_security_wait_estimate', { iata }),
  call('get_airport_overview', { iata }),
  call('search_airports', { query: iata }),
])

const data_dir = await mkdtemp(join(tmpdir(), 'holdshort-soak-'))
// Runs in a process of its own, because its computation would count as waiting for the api.
const world = fork(projectFile('dist', 'tools', 'soak', 'simulated-world.js'))
const [world_url] = (await once(world, 'message')) as [string]
process.env['HOLDSHORT_SIMULATED_WORLD'] = world_url
try {
  const settings = readSettings({ HOLDSHORT_DATA_DIR: data_dir, HOLDSHORT_SIMULATED_WORLD: world_url })
  await checkSimulatedMark(settings)
  await prepareDemo(settings, 1, openLog({ log_level: 'error' }, 'soak'))
  const headers = await enterpriseHeaders(data_dir)
  const server = await serveProcess(data_dir, headers)
  const pipeline = spawn(process.execPath, [CLI, 'work', '--data-dir', data_dir], {
    env: { ...process.env, HOLDSHORT_LOG_LEVEL: 'silent' },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  try {
    const half = { seconds: SECONDS_PER_MINUTE, headers, rate: Math.ceil(rate / 2) }
    const bar = progress('Soaking')
    const rounds: { minute: number; calls_per_second: number; p99_ms: number; heap_mb: number; rss_mb: number }[] = []
    for (let minute = 1; minute <= minutes; minute += 1) {
      bar.update(minute - 1, minutes, 'minutes')
      const both = await Promise.all([
        load(server.url, { ...half, paths }),
        load(`${server.url}/mcp`, { ...half, posts }),
      ])
      if (pipeline.exitCode !== null) throw new Error(`the pipeline ended with ${pipeline.exitCode}`)
      const { heap_mb, rss_mb } = await server.heap()
      const calls_per_second = both.reduce((sum, { requests_per_second }) => sum + requests_per_second, 0)
      rounds.push({ minute, calls_per_second, p99_ms: Math.max(...both.map(({ p99_ms }) => p99_ms)), heap_mb, rss_mb })
    }
    bar.end()
    // The caches fill in the first quarter.
    const filled = rounds[Math.floor(rounds.length / 4)]
    const last = rounds.at(-1)
    const growth = filled && last ? last.heap_mb / filled.heap_mb - 1 : Number.NaN
    const verdict = { minutes, rate, p99_ms: median(rounds.map(({ p99_ms }) => p99_ms)), memory_grown: growth }
    print({ ...verdict, rounds }, values.json, () =>
      [
        textTable(
          ['minute', 'calls a second', 'p99 ms', 'heap MB', 'resident MB'],
          rounds.map((round) => [
            round.minute,
            Math.round(round.calls_per_second),
            round.p99_ms,
            round.heap_mb.toFixed(1),
            Math.round(round.rss_mb),
          ]),
        ),
        `p99 of the median minute ${verdict.p99_ms} ms (< ${MAX_P99_MS}), heap grown ${(100 * growth).toFixed(1)} % (< ${100 * MAX_GROWTH} %)`,
      ].join('\n'),
    )
    if (!(growth < MAX_GROWTH && verdict.p99_ms < MAX_P99_MS)) process.exitCode = 1
  } finally {
    const ended = once(pipeline, 'exit')
    if (pipeline.exitCode === null) {
      pipeline.kill('SIGTERM')
      await ended
    }
    await server.stop()
  }
} finally {
  world.disconnect()
  await rm(data_dir, { recursive: true, force: true })
}

import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { chromium } from 'playwright-core'
import { buildApp } from '../../api/app.ts'
import { openState } from '../../api/state/open.ts'
import type { Progress } from '../../bin/runtime/output.ts'
import { HOUR_MS } from '../../config/domain.ts'
import { readSettings } from '../../config/settings.ts'
import { DIRECTORY } from '../api/airport-directory.ts'
import { snapshotAt } from '../api/example-snapshot.ts'
import { historyOf } from '../api/fake-snapshot.ts'
import { load } from './load.ts'
import { type Measurement, median } from './measurement.ts'

const SECONDS = 2
const ROUNDS = 5
const PATH = '/airports/JFK'
const MIN_PAGES_PER_SECOND = 2_000
const MAX_COMPRESSED_KB = 80
const MAX_FIRST_PAINT_MS = 1_000
/** The 4G that Lighthouse simulates for phones: its round trip, its rates and its slower processor. */
const SLOW_4G = { latency: 150, downloadThroughput: (1_638.4 * 1_024) / 8, uploadThroughput: (675 * 1_024) / 8 }
const PHONE_SLOWDOWN = 4
const CHROMIUM = process.env['HOLDSHORT_CHROMIUM_PATH'] ?? '/usr/bin/chromium'

/** CPU time of the main thread in seconds; the generator has a thread of its own. */
const cpuSeconds = () => Number(readFileSync('/proc/self/schedstat', 'utf8').split(' ')[0]) / 1e9

/** Pages per second of CPU time of the serving thread: what one core serves, without the time that other processes take. */
async function pagesPerCpuSecond(url: string, headers: Record<string, string>): Promise<number> {
  const before = cpuSeconds()
  const { requests_per_second } = await load(url, { seconds: SECONDS, headers })
  return (requests_per_second * SECONDS) / (cpuSeconds() - before)
}

/** Milliseconds until a phone on a simulated 4G first paints content of a page that it has never seen. */
async function firstPaint(url: string): Promise<number> {
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] })
  try {
    const paints: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const context = await browser.newContext({ viewport: { width: 390, height: 844 } })
      const page = await context.newPage()
      const session = await context.newCDPSession(page)
      await session.send('Network.enable')
      await session.send('Network.emulateNetworkConditions', { offline: false, ...SLOW_4G })
      await session.send('Emulation.setCPUThrottlingRate', { rate: PHONE_SLOWDOWN })
      await page.goto(url)
      paints.push(
        (await page.evaluate(
          `new Promise((resolve) => new PerformanceObserver((list) => {
            for (const { name, startTime } of list.getEntries()) if (name === 'first-contentful-paint') resolve(startTime)
          }).observe({ type: 'paint', buffered: true }))`,
        )) as number,
      )
      await context.close()
    }
    return median(paints)
  } finally {
    await browser.close()
  }
}

/** Measures the page of an airport: how many are served, how large one is, and when a phone first paints it. */
export async function benchPages(bar: Progress): Promise<Measurement[]> {
  const data_dir = await mkdtemp(join(tmpdir(), 'holdshort-bench-'))
  const settings = readSettings({ HOLDSHORT_DATA_DIR: data_dir, HOLDSHORT_OPEN_PAGES_PER_MINUTE: '0' })
  const state = await openState(settings)
  const now = Date.now()
  const end = Math.floor(now / HOUR_MS) * HOUR_MS
  const starts = Array.from({ length: 90 * 24 }, (_, at) => end - (90 * 24 - at) * HOUR_MS)
  const history = [historyOf('JFK', starts, (start) => 50 + ((start / HOUR_MS) % 24) * 10)]
  const snapshot = snapshotAt(now, { history })
  const app = await buildApp({ settings, state, directory: DIRECTORY, holder: { current: () => snapshot } })
  try {
    const url = `${await app.listen({ host: '127.0.0.1', port: 0 })}${PATH}`
    const headers = { 'accept-encoding': 'br' }
    const started = performance.now()
    const answer = await fetch(url, { headers })
    if (answer.status !== 200) throw new Error(`${url}: ${answer.status}`)
    await answer.arrayBuffer()
    const firstMs = performance.now() - started
    const { rawPayload } = await app.inject({ url: PATH, headers })
    await load(url, { seconds: 1, headers })
    bar.update(1, 3, 'pages a second')
    const rates: number[] = []
    for (let round = 0; round < ROUNDS; round++) rates.push(await pagesPerCpuSecond(url, headers))
    bar.update(2, 3, 'first paint')
    const paint = existsSync(CHROMIUM) ? await firstPaint(url) : null
    return [
      {
        name: 'airport page: pages a second on one core',
        value: median(rates),
        unit: '1/s',
        target: { at_least: MIN_PAGES_PER_SECOND },
      },
      {
        name: 'airport page: compressed',
        value: rawPayload.length / 1_000,
        unit: 'kB',
        target: { at_most: MAX_COMPRESSED_KB },
      },
      { name: 'airport page: the first one of a process', value: firstMs, unit: 'ms', target: null },
      ...(paint === null
        ? []
        : [
            {
              name: 'airport page: first contentful paint, slow 4G and a 4 times slower processor',
              value: paint,
              unit: 'ms',
              target: { at_most: MAX_FIRST_PAINT_MS },
            },
          ]),
    ]
  } finally {
    await app.close()
    await state.close()
    await rm(data_dir, { recursive: true, force: true })
  }
}

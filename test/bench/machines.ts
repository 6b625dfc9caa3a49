import { spawn } from 'node:child_process'
import { mkdir, readFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Progress } from '../../bin/runtime/output.ts'
import { projectFile } from '../../config/paths.ts'
import { dataPaths } from '../../config/settings.ts'
import { catalogUrl, createCatalogDatabase } from '../../warehouse/coordination/catalog-database.ts'
import { openPointers } from '../../warehouse/coordination/pointers.ts'
import { openS3 } from '../../warehouse/objects/s3.ts'
import { publish } from '../../warehouse/publishing/publish.ts'
import { watchSnapshots } from '../../warehouse/publishing/snapshot/watch.ts'
import { makeCurrent, writeSnapshot } from '../../warehouse/publishing/snapshot/write.ts'
import { openSnapshotFetcher, publishSnapshot, type SnapshotFetcher } from '../../warehouse/sharing/snapshots.ts'
import type { Warehouse } from '../../warehouse/storage/warehouse.ts'
import { freePort } from '../free-port.ts'
import { PARTS_MISSING, startSharedStores } from '../shared-store/installation.ts'
import { bigSnapshot, markedSnapshot } from './big-snapshot.ts'
import { load } from './load.ts'
import { cpuTimed, type Measurement, timed } from './measurement.ts'
import { startRoundRobin } from './round-robin.ts'
import { issueEnterpriseKey } from './snapshot.ts'

const PUBLICATIONS = 20
const PROCESSES = [1, 2, 4]
const ROUNDS = 5
/** Publications within one hour. */
const PUBLICATIONS_OF_HOUR = 10
const ROUND_SECONDS = 2
const CALL = '/api/v1/airports/JFK/wait-times'
/** Raises the limit of a minute in the processes that are measured. */
const PROBE = projectFile('dist', 'test', 'bench', 'process-probe.js')
/** As an api process does it. */
const POLL_MS = 1_000

const quantile = (values: readonly number[], q: number) =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(q * values.length))] ?? Number.NaN

const figure = (name: string, value: number, unit: string): Measurement => ({ name, value, unit, target: null })

/** Measures what several machines cost: a snapshot on the wire, the way from publishing to serving, several api processes. */
export async function benchMachines(warehouse: Warehouse, now: number, bar: Progress): Promise<Measurement[]> {
  const { data_dir } = warehouse
  if (PARTS_MISSING !== null) throw new Error(PARTS_MISSING)
  const stores = await startSharedStores({ durable: true })
  try {
    const settings = stores.settings(data_dir, 'bench')
    const url = catalogUrl(settings)
    await createCatalogDatabase(url)
    const sharing = { store: openS3(settings), pointers: openPointers(url) }
    const publishOne = (id: string) => publishSnapshot(sharing, data_dir, id, 1)
    const { snapshots } = dataPaths(data_dir)
    bar.update(0, 3, 'publications of one hour')
    const publications = await publicationsOfHour(warehouse, now - 7_200_000)
    bar.update(0, 3, 'a snapshot of every airport')
    const content = await bigSnapshot(warehouse, now)
    const hours = content.forecasts.p50.length
    const first = await writeSnapshot(snapshots, content)
    const whole = await timed(() => publishOne(first))
    // A minute later, forecasts as they were: only the facts and the manifest differ.
    const later = Object.assign({}, content, {
      generated_at: new Date(now + 60_000).toISOString().replace(/\.\d+/, ''),
    })
    const minute_bytes = await publishOne(await writeSnapshot(snapshots, later))
    const follower = join(data_dir, 'follower')
    await mkdir(join(follower, 'snapshots'), { recursive: true })
    const fetchSnapshot = openSnapshotFetcher(sharing, follower, { count: 2, bytes: 2_000_000_000 })
    const fetched = await timed(() => fetchSnapshot())
    bar.update(1, 3, 'from publishing to serving')
    const delays = await servedDelays(content, { snapshots, follower, publishOne, fetchSnapshot })
    bar.update(2, 3, 'several api processes')
    await makeCurrent(snapshots, first)
    await sharing.pointers.close()
    return [
      figure('machines: hours in the snapshot', hours, ''),
      figure('machines: a whole snapshot on the wire', whole.result / 1e6, 'MB'),
      figure('machines: a snapshot with the forecasts of the one before', minute_bytes / 1e6, 'MB'),
      figure('machines: compress and upload a whole snapshot', whole.seconds, 's'),
      figure('machines: fetch, verify and store a whole snapshot', fetched.seconds, 's'),
      figure('machines: published to served, p50', quantile(delays, 0.5), 's'),
      figure('machines: published to served, p99', quantile(delays, 0.99), 's'),
      ...publications,
      ...(await throughput(data_dir)),
    ]
  } finally {
    await stores.remove()
  }
}

/** The processor time of a publication with the whole directory: the first one of an hour, and those after it. */
async function publicationsOfHour(warehouse: Warehouse, now: number): Promise<Measurement[]> {
  const seconds: number[] = []
  for (let k = 0; k <= PUBLICATIONS_OF_HOUR; k += 1) {
    const { cpu_seconds } = await cpuTimed(() => publish(warehouse, { now: now + k * 1_000, simulated: false }))
    seconds.push(cpu_seconds)
  }
  const [first = Number.NaN, ...later] = seconds
  return [
    figure('machines: processor time of the first publication of a process', first, 's'),
    figure('machines: processor time of a later publication in the hour, p50', quantile(later, 0.5), 's'),
  ]
}

/** Processor time of processes since their start, in ticks of 10 ms. */
async function ticksOf(pids: readonly (number | undefined)[]): Promise<number> {
  let ticks = 0
  for (const pid of pids) {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    ticks += Number(fields[11]) + Number(fields[12])
  }
  return ticks
}
const TICK_MS = 10

/** Seconds from the write of the pointer to the swap on a machine that polls as an api process does. */
async function servedDelays(
  content: Parameters<typeof markedSnapshot>[0],
  of: {
    snapshots: string
    follower: string
    publishOne: (id: string) => Promise<number>
    fetchSnapshot: SnapshotFetcher
  },
): Promise<number[]> {
  const swapped = new Map<string, number>()
  const watch = await watchSnapshots(dataPaths(of.follower).snapshots, {
    onSwap: ({ id }) => swapped.set(id, performance.now()),
  })
  const stopping = new AbortController()
  const following = (async () => {
    while (!stopping.signal.aborted) {
      await of.fetchSnapshot()
      await sleep(POLL_MS)
    }
  })()
  const delays: number[] = []
  for (let mark = 1; mark <= PUBLICATIONS; mark += 1) {
    // Like the snapshots of an hour: other facts, the same forecasts.
    const generated_at = markedSnapshot(content, 600 + mark).generated_at
    const id = await writeSnapshot(of.snapshots, Object.assign({}, content, { generated_at }))
    await of.publishOne(id)
    const published = performance.now()
    while (!swapped.has(id)) await sleep(5)
    delays.push(((swapped.get(id) ?? 0) - published) / 1_000)
    await sleep(Math.random() * POLL_MS)
  }
  stopping.abort()
  await following
  watch.stop()
  return delays
}

/**
 * Answers a second of 1, 2 and 4 api processes behind one proxy, as a ratio to one: medians of rounds in which the three
 * alternate, because other work on the machine comes and goes. Load, proxy and processes share the processors, so the processor
 * time of the api processes for an answer stands beside it: it says what more processors would give.
 */
async function throughput(dataDir: string): Promise<Measurement[]> {
  const headers = { authorization: `Bearer ${await issueEnterpriseKey(dataDir)}` }
  const ports = await Promise.all(Array.from({ length: Math.max(...PROCESSES) }, () => freePort()))
  const children = ports.map((port) =>
    spawn(process.execPath, ['--import', PROBE, projectFile('dist', 'bin', 'holdshort.js'), 'serve'], {
      env: {
        ...process.env,
        HOLDSHORT_DATA_DIR: dataDir,
        HOLDSHORT_PORT: String(port),
        HOLDSHORT_LOG_LEVEL: 'error',
      },
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    }),
  )
  const rates = new Map<number, number[]>(PROCESSES.map((count) => [count, []]))
  const costs = new Map<number, number[]>(PROCESSES.map((count) => [count, []]))
  const pids = children.map(({ pid }) => pid)
  try {
    for (const port of ports)
      for (;;) {
        const answer = await fetch(`http://127.0.0.1:${port}/health/ready`).catch(() => null)
        if (answer?.ok) break
        await sleep(50)
      }
    for (let round = 0; round < ROUNDS; round += 1)
      for (const count of PROCESSES) {
        const proxy = await startRoundRobin(ports.slice(0, count))
        const before = await ticksOf(pids)
        const { requests_per_second } = await load(`${proxy.url}${CALL}`, { seconds: ROUND_SECONDS, headers })
        const used_ms = ((await ticksOf(pids)) - before) * TICK_MS
        rates.get(count)?.push(requests_per_second)
        costs.get(count)?.push((used_ms * 1_000) / (requests_per_second * ROUND_SECONDS))
        proxy.close()
      }
  } finally {
    for (const child of children) child.kill('SIGKILL')
  }
  const [one = Number.NaN, two = Number.NaN, four = Number.NaN] = PROCESSES.map((count) =>
    quantile(rates.get(count) ?? [], 0.5),
  )
  return [
    figure('machines: processors of this machine', availableParallelism(), ''),
    figure('machines: answers a second, one process behind a proxy', one, '1/s'),
    figure('machines: two processes, as a ratio', two / one, ''),
    figure('machines: four processes, as a ratio', four / one, ''),
    ...PROCESSES.map((count) =>
      figure(
        `machines: processor time of an answer, ${count} behind a proxy`,
        quantile(costs.get(count) ?? [], 0.5),
        'µs',
      ),
    ),
  ]
}

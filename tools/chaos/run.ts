import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { issueKey, revokeKey } from '../../accounts/keys/keys.ts'
import { openState } from '../../api/state/open.ts'
import { readSettings } from '../../config/settings.ts'
import type { Tier } from '../../config/vocabulary.ts'
import { seededRandom } from '../../forecasting/statistics/statistics.ts'
import { catalogUrl } from '../../warehouse/coordination/catalog-database.ts'
import { openS3 } from '../../warehouse/objects/s3.ts'
import { ducklakePlace } from '../../warehouse/storage/ducklake-place.ts'
import { openWarehouse } from '../../warehouse/storage/warehouse.ts'
import { allTables } from '../../warehouse/tables/index.ts'
import { type Installation, type Machine, startInstallation, until } from './installation.ts'
import { type LoadCounts, type LoadKeys, startLoad } from './load.ts'
import { followPipelineLog } from './machine-log.ts'

interface RowCounts {
  readings: number
  /** Rows that a run reported as landed and that are not there. */
  lost: number
  /** Rows beyond the first of one key. */
  doubled: number
  /** Captures in the bucket that nobody has landed or tried to. */
  not_landed: number
  captures: number
}

/** The row counts of the stores, read from a new machine as after the loss of every other. */
async function countRows(environment: NodeJS.ProcessEnv, folder: string): Promise<RowCounts> {
  const settings = readSettings({ ...environment, HOLDSHORT_DATA_DIR: join(folder, 'counting') })
  const warehouse = await openWarehouse(settings.data_dir, { place: ducklakePlace(settings, catalogUrl(settings)) })
  try {
    const [rows] = await warehouse.query<{ readings: number; keys: number }>(
      `SELECT count(*)::INTEGER AS readings, count(DISTINCT (kind, source, iata, terminal, checkpoint, lane, observed_at))::INTEGER AS keys FROM readings`,
    )
    const [lost] = await warehouse.query<{ lost: number }>(
      `WITH reported AS (SELECT capture_id, max(new_rows) AS new_rows FROM runs
         WHERE outcome = 'landed' AND capture_id IS NOT NULL GROUP BY 1),
       stored AS (SELECT capture_id, count(*) AS n FROM readings GROUP BY 1)
       SELECT coalesce(sum(greatest(0, r.new_rows - s.n)), 0)::INTEGER AS lost FROM reported r JOIN stored s USING (capture_id)`,
    )
    const withCaptures = allTables.filter(({ columns }) => 'capture_id' in columns)
    const known = await warehouse.query<{ id: string }>(
      withCaptures.map(({ name }) => `SELECT DISTINCT capture_id AS id FROM ${name}`).join(' UNION '),
    )
    const ids = new Set(known.map(({ id }) => id))
    const stored = await openS3(settings).list('raw/')
    const not_landed = stored.filter(({ key }) => !ids.has(key.split('/').at(-1)?.replace(/\.gz$/, '') ?? '')).length
    const { readings = 0, keys = 0 } = rows ?? {}
    return { readings, lost: lost?.lost ?? 0, doubled: readings - keys, not_landed, captures: stored.length }
  } finally {
    await warehouse.close()
  }
}

/** One harm to one part of the installation. */
export interface Fault {
  target: string
  kind: 'kill' | 'freeze' | 'cut'
  hold_ms: number
}

export interface ChaosReport {
  faults: number
  by_kind: Record<string, number>
  minutes: number
  requests: LoadCounts
  p50_ms: number
  p99_ms: number
  /** Time from each harm of a machine to the next snapshot published on an api. */
  publishing_resumed_ms: { p50: number; p90: number; max: number }
  /** The same for the harms of the pipeline that led. */
  resumed_after_leader_ms: { harms: number; p50: number; p90: number; max: number }
  /** Faults after which publishing took longer than a minute. */
  resumed_late: number
  /** Faults after which nothing was published for as long as the next fault waits: two minutes. */
  not_resumed: number
  rows: RowCounts
  /** The largest number of requests to one host of the sources that were open at once. */
  requests_to_one_source_at_once: number
  /** How often another pipeline took the lead. */
  leaders: number
}

export interface ChaosOptions {
  faults: number
  /** No further fault begins after this time. */
  within_ms: number
  seed?: number
  publish_seconds?: number
  /** Harms only these, in this order, instead of drawn ones. */
  plan?: readonly Fault[]
  /** No further fault begins once it is aborted. */
  signal?: AbortSignal
  onProgress?: (line: string) => void
}

/** Together they may ask more than the load does. */
const ENTERPRISE_KEYS = 5
const STORES = ['redis', 'postgresql', 's3'] as const

/** Issues the keys of the load; one is revoked at once. */
async function issueKeys({ environment, folder }: Installation): Promise<LoadKeys> {
  const own = await mkdtemp(join(folder, 'operator-'))
  const state = await openState(readSettings({ ...environment, HOLDSHORT_DATA_DIR: own }))
  try {
    const keyOf = (tier: Tier) => issueKey(state, { tier, name: tier }, Date.now())
    const enterprise: string[] = []
    for (let index = 0; index < ENTERPRISE_KEYS; index += 1) enterprise.push((await keyOf('enterprise')).key)
    const [revoked, limited] = [await keyOf('pro'), await keyOf('free')]
    await revokeKey(state, revoked.key_id, Date.now())
    return { enterprise, revoked: revoked.key, limited: limited.key, limit_per_minute: 30 }
  } finally {
    await state.close()
  }
}

interface Health {
  status: string
  snapshot: { id: string; generated_at: string } | null
}

const healthOf = async ({ url }: Machine): Promise<Health> =>
  (await (await fetch(`${url}/health`, { signal: AbortSignal.timeout(2_000) })).json()) as Health

/** The instant of the newest snapshot that an api serves, epoch ms; 0 when none does. */
async function newestServed(serves: readonly Machine[]): Promise<number> {
  const found = await Promise.all(serves.map((serve) => healthOf(serve).catch(() => null)))
  return Math.max(0, ...found.map((health) => Date.parse(health?.snapshot?.generated_at ?? '') || 0))
}

/** Draws faults: every machine and store in turn, each with every harm that it can have. */
function planOf(names: readonly string[], count: number, random: () => number): Fault[] {
  const plan: Fault[] = []
  while (plan.length < count) {
    const round = names.flatMap((target) =>
      (isStore(target) ? ['kill', 'freeze'] : ['kill', 'freeze', 'cut']).map(
        (kind): Fault => ({ target, kind: kind as Fault['kind'], hold_ms: 1_000 + Math.floor(random() ** 2 * 17_000) }),
      ),
    )
    plan.push(
      ...round.filter(({ target, kind }) => target !== 'postgresql' || kind === 'kill').sort(() => random() - 0.5),
    )
  }
  return plan.slice(0, count)
}

async function harm({ machines, stores }: Installation, { target, kind, hold_ms }: Fault): Promise<void> {
  const machine = machines.find(({ name }) => name === target)
  if (machine && kind === 'cut') {
    for (const link of machine.links) link.cut()
    await sleep(hold_ms)
    for (const link of machine.links) link.mend()
    return
  }
  if (target === 'postgresql') {
    await stores.postgresql.kill()
    await sleep(hold_ms)
    await stores.postgresql.start()
    return
  }
  const harmed = machine ?? (target === 'redis' ? stores.redis : stores.s3)
  if (kind === 'freeze') {
    harmed.signal('SIGSTOP')
    await sleep(hold_ms)
    harmed.signal('SIGCONT')
    return
  }
  await harmed.kill()
  await sleep(hold_ms)
  await harmed.start()
}

const quantile = (values: readonly number[], q: number) =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(q * values.length))] ?? 0

const spread = (values: readonly number[]) => ({
  p50: quantile(values, 0.5),
  p90: quantile(values, 0.9),
  max: Math.max(0, ...values),
})

const isStore = (target: string): boolean => STORES.includes(target as (typeof STORES)[number])

const START_MS = 240_000
const STOP_MS = 15_000
/** The time that a fault may cost before the next one begins. */
const RECOVERY_MS = 120_000
/** Publishing must resume within this time after the loss of a machine. */
const RESUME_LIMIT_MS = 60_000

/** Runs an installation of several machines under load, harms one part after another, and counts what that cost. */
export async function runChaos(options: ChaosOptions): Promise<ChaosReport> {
  const { publish_seconds = 5 } = options
  const installation = await startInstallation({ publish_seconds })
  try {
    return await harmInTurn(installation, options)
  } finally {
    await installation.close()
  }
}

async function harmInTurn(
  installation: Installation,
  { faults, within_ms, seed = 1, plan, signal, onProgress = () => undefined }: ChaosOptions,
): Promise<ChaosReport> {
  const { machines, world } = installation
  const serves = machines.filter(({ role }) => role === 'serve')
  const works = machines.filter(({ role }) => role === 'work')
  const pipelines = works.map(({ name }) => followPipelineLog(installation.logOf(name)))
  const areServing = async () => (await Promise.all(serves.map(healthOf))).every(({ snapshot }) => snapshot !== null)
  const areUp = async () =>
    (await areServing()) && (await Promise.all(pipelines.map((read) => read()))).every(({ isUp }) => isUp)

  const [keys] = await Promise.all([issueKeys(installation), ...machines.map((machine) => machine.start())])
  const up = await until('both apis serve a snapshot', START_MS, areUp)
  onProgress(`up after ${Math.round(up / 1_000)} s`)
  const load = startLoad(serves, keys)
  const started = performance.now()
  const by_kind: Record<string, number> = {}
  const resumed: number[] = []
  let not_resumed = 0
  const afterLeader: number[] = []
  const todo = plan ?? planOf([...machines.map(({ name }) => name), ...STORES], faults, seededRandom(seed))
  let done = 0
  for (const fault of todo) {
    if (performance.now() - started > within_ms || signal?.aborted) break
    const { target, kind, hold_ms } = fault
    const isLeader = (await pipelines[works.findIndex(({ name }) => name === target)]?.())?.isLeading === true
    if (isStore(target)) load.storeIsAway(true)
    const harmedAt = Date.now()
    const began = performance.now()
    const harming = harm(installation, fault).finally(() => isStore(target) && load.storeIsAway(false))
    // Publishing must resume while the machine is still away, too; a snapshot is dated by whole seconds.
    const resuming = until(
      'a snapshot is published after the fault',
      RECOVERY_MS,
      async () => (await newestServed(serves)) > harmedAt + 1_000,
    ).catch(() => RECOVERY_MS)
    await harming
    const resumedMs = await resuming
    if (resumedMs >= RECOVERY_MS)
      onProgress(`publishing did not resume; the logs so far are in ${await installation.keepLogs()}`)
    if (!isStore(target)) resumed.push(resumedMs)
    if (resumedMs >= RECOVERY_MS) not_resumed += 1
    if (isLeader) afterLeader.push(resumedMs)
    await until('every machine is up', RECOVERY_MS, areUp)
    done += 1
    const name = `${kind} ${target.replace(/-\d+$/, '')}`
    by_kind[name] = (by_kind[name] ?? 0) + 1
    const { lost, wrong, late, mixed } = load.counts
    const [held, again, all] = [hold_ms, resumedMs, performance.now() - began].map((ms) => (ms / 1_000).toFixed(1))
    onProgress(
      `${done}: ${kind} ${target}${isLeader ? ' (the leader)' : ''} for ${held} s; published again after ${again} s, all up after ${all} s; lost ${lost}, wrong ${wrong}, mixed ${mixed}, late ${late} of ${load.counts.calls}`,
    )
  }
  const minutes = (performance.now() - started) / 60_000
  await load.stop()
  onProgress(`calls: ${JSON.stringify(load.counts)}`)
  const leaders = (await Promise.all(pipelines.map((read) => read()))).reduce((sum, { leads }) => sum + leads, 0)
  // Captures whose pipeline died before their rows were handed over are landed when the next pipeline begins to lead.
  for (const work of works) {
    // An orderly stop gives up the lead, which need not expire.
    work.signal('SIGTERM')
    await until(`${work.name} has stopped`, STOP_MS, async () => !work.isRunning()).catch(work.kill)
  }
  await works[0]?.start()
  await until('the last pipeline has recovered captures', RECOVERY_MS, async () =>
    Boolean((await pipelines[0]?.())?.hasRecovered),
  )
  for (const { kill } of machines) await kill()
  const rows = await countRows(installation.environment, installation.folder)
  return {
    faults: done,
    by_kind,
    minutes,
    requests: load.counts,
    p50_ms: quantile(load.milliseconds, 0.5),
    p99_ms: quantile(load.milliseconds, 0.99),
    publishing_resumed_ms: spread(resumed),
    resumed_after_leader_ms: { harms: afterLeader.length, ...spread(afterLeader) },
    resumed_late: resumed.filter((ms) => ms > RESUME_LIMIT_MS).length,
    not_resumed,
    rows,
    requests_to_one_source_at_once: world.maxRequestsAtOnce(),
    leaders,
  }
}

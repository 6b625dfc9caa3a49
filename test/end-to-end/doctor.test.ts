import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, truncateSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { stateFault } from '../../api/state/integrity.ts'
import { openState } from '../../api/state/open.ts'
import { checkSources, checkStatus, diskVerdict } from '../../bin/doctor/check-folder.ts'
import type { Finding } from '../../bin/doctor/finding.ts'
import { dataPaths } from '../../config/settings.ts'
import { HOUR_MS, isoUtc } from '../../config/vocabulary.ts'
import { refresh } from '../../pipeline/refresh.ts'
import type { Snapshot } from '../../warehouse/publishing/snapshot/snapshot.ts'
import { writeSnapshot } from '../../warehouse/publishing/snapshot/write.ts'
import { holdRole } from '../../warehouse/storage/folder-use.ts'
import { checkSimulatedMark } from '../../warehouse/storage/simulated-mark.ts'
import { openWarehouse } from '../../warehouse/storage/warehouse.ts'
import { readings } from '../../warehouse/tables/readings.ts'
import { NOW, snapshotAt } from '../api/example-snapshot.ts'
import { EXHAUSTIVE } from '../exhaustive.ts'
import { freePort } from '../free-port.ts'
import { HEALTH } from '../site/source-health.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { emptyContent } from '../warehouse/snapshot-content.ts'
import { reading } from '../warehouse/test-rows.ts'
import { run } from './commands.ts'

/** A server on this machine whose clock differs from ours; returns its address. */
async function serverWithClock(differenceMs: number): Promise<{ url: string; port: number }> {
  const server = createServer((_request, response) => {
    response.setHeader('date', new Date(Date.now() + differenceMs).toUTCString()).end()
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  return { url: `http://127.0.0.1:${port}`, port }
}

/**
 * Runs the doctor with these settings; the only source is a server on this machine, with the right clock. To start a browser takes
 * seconds: only where the settings say so one is started, and that there is none is no finding of a test.
 */
async function doctor(settings: Record<string, string | undefined>, folder = '') {
  const sound: Record<string, string | undefined> = {
    HOLDSHORT_CHROMIUM_PATH: '/no-browser',
    HOLDSHORT_SIMULATED_WORLD: (await serverWithClock(0)).url,
    HOLDSHORT_PORT: '0',
    HOLDSHORT_CONTACT: 'https://airport.aero/us',
    HOLDSHORT_DATA_DIR: folder === '' ? join(await temporaryFolder(), 'none') : folder,
  }
  for (const [name, value] of Object.entries(Object.assign(sound, settings))) vi.stubEnv(name, value)
  onTestFinished(() => void vi.unstubAllEnvs())
  const { code, stdout } = await run('doctor', '--json')
  const found = JSON.parse(stdout) as Finding[]
  return {
    code,
    wrong: found.flatMap(({ ok, check, says }) => (ok || says.startsWith('/no-browser') ? [] : [check])),
    findingOf: (check: string) => found.find((finding) => finding.check === check),
  }
}

test('each wrong setting is a finding of one line, which lists no other settings', async () => {
  vi.stubEnv('HOLDSHORT_SITE_ULR', 'https://waits.airport.aero')
  vi.stubEnv('HOLDSHORT_PORT', 'many')
  onTestFinished(() => void vi.unstubAllEnvs())
  const found = JSON.parse((await run('doctor', '--json')).stdout) as Finding[]
  expect(found.filter(({ check }) => check === 'settings').map(({ says }) => says)).toEqual([
    'HOLDSHORT_SITE_ULR: is not a setting; did you mean HOLDSHORT_SITE_URL?',
    'HOLDSHORT_PORT: must be a port number, 0 to 65535',
  ])
})

test('nothing is wrong with a new installation, and nothing is created', async () => {
  const folder = join(await temporaryFolder(), 'none')
  const { code, wrong, findingOf } = await doctor({ HOLDSHORT_CHROMIUM_PATH: undefined }, folder)
  expect([code, wrong]).toEqual([0, []])
  expect(findingOf('clock')).toMatchObject({ level: 'ok' })
  expect(existsSync(folder)).toBe(false)
})

test('a port in use, Redis and PostgreSQL out of reach are wrong, each with what to do', async () => {
  const { port } = await serverWithClock(0)
  const dead = await freePort()
  const { code, wrong, findingOf } = await doctor({
    HOLDSHORT_PORT: String(port),
    REDIS_URL: `redis://:secret@127.0.0.1:${dead}`,
    DATABASE_URL: `postgres://me:secret@127.0.0.1:${dead}/x`,
    HOLDSHORT_KEY_PEPPER: 'a pepper of enough characters',
  })
  expect([code, wrong]).toEqual([1, ['port', 'PostgreSQL', 'Redis']])
  expect(findingOf('port')?.says).toContain('is in use by another program; stop it')
  expect(findingOf('Redis')?.says).toMatch(/ECONNREFUSED.*correct REDIS_URL/)
  expect(findingOf('PostgreSQL')?.says).toMatch(/ECONNREFUSED.*correct DATABASE_URL/)
  expect(JSON.stringify([findingOf('Redis'), findingOf('PostgreSQL')])).not.toContain('secret')
})

test.each([
  [-3 * 365 * 86_400_000, 'ahead of'],
  [180_000, 'behind'],
])('a clock that differs by %i ms from a source is wrong', async (difference, words) => {
  const { url } = await serverWithClock(difference)
  const { code, wrong, findingOf } = await doctor({ HOLDSHORT_SIMULATED_WORLD: url })
  expect([code, wrong]).toEqual([1, ['clock']])
  expect(findingOf('clock')?.says).toContain(words)
})

test('no contact and no answer about the time are no failures', async () => {
  const dead = `http://127.0.0.1:${await freePort()}`
  const contact = 'https://github.com/holdshort/holdshort'
  const { wrong, findingOf } = await doctor({ HOLDSHORT_SIMULATED_WORLD: dead, HOLDSHORT_CONTACT: contact })
  expect([wrong, findingOf('clock')?.level, findingOf('contact')?.level]).toEqual([[], 'unknown', 'warning'])
})

test('a data folder of another kind, or a file in its place, is wrong', async () => {
  const folder = await temporaryFolder()
  await checkSimulatedMark({ data_dir: folder, simulated_world: undefined })
  expect((await doctor({}, folder)).wrong).toEqual(['data folder'])
  const file = join(folder, 'file')
  writeFileSync(file, '')
  const { wrong, findingOf } = await doctor({}, file)
  expect([wrong, findingOf('data folder')?.says]).toEqual([['data folder'], expect.stringContaining('is a file')])
})

test('says who uses the data folder, and accepts its port', async () => {
  const folder = await temporaryFolder()
  const argv = process.argv[2]
  process.argv[2] = 'start'
  const role = await holdRole(folder, 'supervisor')
  process.argv[2] = argv ?? ''
  onTestFinished(() => role.release())
  const { port } = await serverWithClock(0)
  const { wrong, findingOf } = await doctor({ HOLDSHORT_PORT: String(port) }, folder)
  expect(wrong).toEqual([])
  expect(findingOf('data folder')?.says).toContain(`used by "holdshort start" (process ${process.pid}`)
  expect(findingOf('port')?.says).toContain('our own')
})

test.runIf(EXHAUSTIVE)(
  'a damaged state, a missing pepper, a damaged warehouse and a damaged snapshot are wrong',
  async () => {
    const folder = await temporaryFolder()
    const paths = dataPaths(folder)
    await (await openState({ data_dir: folder })).close()
    const warehouse = await openWarehouse(folder)
    await warehouse.land(readings, [reading({})])
    await refresh({ warehouse, now: Date.now, simulated: true, sources: [], predict: async () => [] as never })
    await warehouse.close()
    const before = readdirSync(folder)
    expect((await doctor({}, folder)).wrong).toEqual([])
    expect(readdirSync(folder)).toEqual(before)

    expect((await doctor({}, folder)).findingOf('warehouse')?.says).toMatch(/^\d+ rows, all readable; no copy yet$/)
    truncateSync(paths.warehouse_file, 300_000)
    expect((await doctor({}, folder)).findingOf('warehouse')).toMatchObject({
      ok: false,
      says: expect.stringContaining('holdshort repair'),
    })

    for (const id of readdirSync(paths.snapshots))
      if (id !== 'CURRENT') truncateSync(join(paths.snapshots, id, 'facts.json'), 10)
    expect((await doctor({}, folder)).wrong).toContain('snapshot')

    truncateSync(paths.state, 5_000)
    expect((await doctor({}, folder)).wrong).toContain('state')
    writeFileSync(paths.state, 'no database at all')
    expect(await stateFault(paths.state, null, false, null)).not.toBeNull()
  },
)

test('on several machines an api with snapshots of its own lacks no warehouse, and a snapshot of the future is not blamed on its clock', async () => {
  const data_dir = await temporaryFolder()
  await writeSnapshot(dataPaths(data_dir).snapshots, emptyContent(isoUtc(Date.now() + HOUR_MS)))
  const { findingOf } = await doctor(
    { HOLDSHORT_STORE: 's3://bucket', DATABASE_URL: 'postgresql://127.0.0.1:1/none' },
    data_dir,
  )
  expect(findingOf('warehouse')).toBeUndefined()
  expect(findingOf('snapshot')?.says).toMatch(
    /60 minutes in the future; set the clock of the machine whose pipeline leads$/,
  )
})

test('a state without its pepper is wrong', async () => {
  const folder = await temporaryFolder()
  mkdirSync(folder, { recursive: true })
  await (await openState({ data_dir: folder, key_pepper: 'a pepper of enough characters' })).close()
  expect((await doctor({}, folder)).wrong).toEqual(['state'])
})

test('the status has the words of /status', () => {
  expect(checkStatus(null, Date.now())).toEqual({
    level: 'unknown',
    says: 'starting: No snapshot has been published yet.',
  })
  const down = { level: 'warning', says: 'down: None of the 1 sources requested so far answers.' }
  const failing = snapshotAt(NOW, { health: [{ ...HEALTH[0]!, state: 'failing' }] })
  expect(checkStatus(failing, NOW)).toEqual(down)
})

test('all sources failing is wrong; some failing is a warning', () => {
  const snapshotOf = (states: string[]) =>
    ({
      generated_ms: 0,
      sourceHealth: () =>
        states.map((state, index) => ({ source: `s${index}`, state, reason: 'It failed.', last_error_message: null })),
    }) as unknown as Snapshot
  const levelOf = (states: string[]) => {
    const verdict = checkSources(snapshotOf(states), new Set(['s0', 's1', 's2']))
    return typeof verdict === 'string' ? 'ok' : verdict.level
  }
  expect(levelOf(['failing', 'open_circuit', 'off'])).toBe('wrong')
  expect(levelOf(['failing', 'healthy'])).toBe('warning')
  expect(levelOf(['healthy', 'degraded'])).toBe('ok')
  expect(levelOf(['not_asked'])).toBe('unknown')
})

test('a disk without room for further files is full, however many bytes are free', () => {
  const free = (bytes: number, files: number | null) => diskVerdict({ bytes, files }, 1_000_000)
  expect(free(27_000_000_000, 12)).toMatchObject({ level: 'wrong', says: expect.stringContaining('df -i') })
  expect(free(999_999, 1_000_000)).toMatchObject({ level: 'wrong', says: expect.stringContaining('MIN_FREE_BYTES') })
  expect([free(27_000_000_000, 50_000), free(27_000_000_000, null)]).toEqual(['27.0 GB free', '27.0 GB free'])
})

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { projectFile } from '../../config/paths.ts'
import { DAY_MS, HOUR_MS, isoUtc } from '../../config/vocabulary.ts'
import { json, run } from './commands.ts'
import { holdshort } from './installation.ts'

/** The end of the history: a full hour two days ago, so that forecasts for it can be scored. */
const TO = Math.floor(Date.now() / DAY_MS) * DAY_MS - 2 * DAY_MS

/** A quick training. */
const QUICK = projectFile('config', 'training', 'demo.json')

/** The commands in an operator's order, on one folder: each uses the result of the one before. */
describe('from a CSV to a snapshot', () => {
  let folder: string
  let data: string[]
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'holdshort-test-'))
    data = ['--data-dir', join(folder, 'data')]
    const lines = ['airport,checkpoint,lane,observed_at,wait_minutes,status']
    for (let hour_ms = TO - 27 * DAY_MS; hour_ms < TO; hour_ms += HOUR_MS)
      for (const place of hour_ms < TO - 2 * DAY_MS ? ['SEA,1'] : ['SEA,1', 'JAX,A']) {
        // Every other hour is busy, as at no other airport, so that its own history tells more than the prior on whatever days this runs.
        const weekday = Math.floor(hour_ms / DAY_MS) % 7
        const wait = (hour_ms / HOUR_MS) % 2 === 0 ? 5 + weekday : 45 - weekday
        lines.push(`${place},standard,${isoUtc(hour_ms)},${wait.toFixed(1)},open`)
      }
    await writeFile(join(folder, 'waits.csv'), [...lines, 'SEA,1,standard,tomorrow,5,open'].join('\n'))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  it('import stores the rows once and reports the bad row', async () => {
    const args = ['import', join(folder, 'waits.csv'), '--kind', 'security', '--json', ...data]
    const [first] = await json<Record<string, number | object[]>[]>(...args)
    expect(first).toMatchObject({
      bad_rows: 1,
      already_there: 0,
      bad: [{ fault: expect.stringContaining('tomorrow') }],
    })
    expect(first?.new_rows).toBeGreaterThan(600)
    const [again] = await json<Record<string, number>[]>(...args)
    expect(again).toMatchObject({ new_rows: 0, already_there: first?.new_rows })
  })

  it('import says how it read a file with ";" and decimal commas, and reads epoch times by --time-format', async () => {
    const file = join(folder, 'semicolons.csv')
    await writeFile(file, 'airport;observed_at;wait_minutes\r\n\r\nSEA;1776722400;7,5\r\nSEA;soon;8\r\n')
    const own = ['--data-dir', join(folder, 'semicolons')]
    const { code, stdout } = await run('import', file, '--kind', 'security', '--time-format', 'epoch-seconds', ...own)
    expect(code).toBe(0)
    expect(stdout).toContain('2 rows, 1 new, 0 already present, 1 bad')
    expect(stdout).toContain('read with ";" between values (--delimiter) and waits with a decimal comma (--decimal)')
    expect(stdout).toContain('line 4: observed_at: "soon" is not a number')
    const wrong = await run('import', file, '--kind', 'security', '--delimiter', 'x', ...own)
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('--delimiter: "x" must be , ; | or tab')])
  })

  it('export takes its folder as the argument or with --out, and refuses two', async () => {
    const own = ['--data-dir', join(folder, 'semicolons'), '--own-use']
    const [argument, out] = [join(folder, 'by-argument'), join(folder, 'by-out')]
    await json('export', argument, ...own, '--json')
    expect(await json('export', '--out', out, ...own, '--json')).toMatchObject({ folder: out })
    const manifest = async (exported: string) => JSON.parse(await readFile(join(exported, 'manifest.json'), 'utf8'))
    expect((await manifest(out)).files).toEqual((await manifest(argument)).files)
    const two = await run('export', argument, '--out', out, ...own)
    expect([two.code, two.stderr]).toEqual([2, expect.stringContaining('--out: names another folder')])
  })

  it('import says which rows are so old that upkeep deletes them, and which setting keeps them', async () => {
    const file = join(folder, 'old.csv')
    const days = [499, 500].map((day) => isoUtc(TO - day * DAY_MS))
    await writeFile(file, ['airport,observed_at,wait_minutes', ...days.map((at) => `SEA,${at},8`)].join('\n'))
    const own = ['--kind', 'security', '--json', '--data-dir', join(folder, 'old')]
    const { code, stdout, stderr } = await run('import', file, ...own)
    expect([code, JSON.parse(stdout)]).toEqual([0, [expect.objectContaining({ new_rows: 2 })]])
    expect(stderr).toMatch(/warning: 2 rows of import are of [\d-]+ or before, .*\(HOLDSHORT_READINGS_DAYS is 400\)/)
    onTestFinished(() => void vi.unstubAllEnvs())
    vi.stubEnv('HOLDSHORT_READINGS_DAYS', '2000')
    expect((await run('import', file, ...own)).stderr).not.toContain('warning')
  })

  it('import of a file of which no row can be read fails, and says why', async () => {
    const file = join(folder, 'all-bad.csv')
    await writeFile(file, 'airport,observed_at,wait_minutes\nSEA,soon,8\nSEA,later,9\n')
    const { code, stdout } = await run('import', file, '--kind', 'security', '--data-dir', join(folder, 'all-bad'))
    expect(code).toBe(1)
    expect(stdout).toContain('2 rows, 0 new, 0 already present, 2 bad')
  })

  it('the files before one that cannot be read are reported and rolled up, and the error names that one', async () => {
    const own = ['--kind', 'security', '--data-dir', join(folder, 'two-files'), '--json']
    const twice = join(folder, 'twice.csv')
    await writeFile(twice, 'airport,observed_at,wait_minutes,wait_minutes\nJFK,2026-11-20T10:00:00Z,5,50\n')
    const { code, stdout, stderr } = await run('import', join(folder, 'waits.csv'), twice, ...own)
    expect([code, JSON.parse(stdout)]).toEqual([1, [expect.objectContaining({ file: join(folder, 'waits.csv') })]])
    expect(stderr).toContain(`IMPORT_INVALID: ${twice}: columns that occur twice: wait_minutes`)
    expect(
      await json('query', 'SELECT count(*) > 0 AS found FROM rollups', '--format', 'json', ...own.slice(2, 4)),
    ).toEqual([{ found: true }])
  })

  it.each([
    [['wait_minutes=a', 'wait_minutes=b'], 2, 'USAGE: --map: names wait_minutes twice'],
    [['wait_minutes=a=b'], 1, /IMPORT_INVALID: .*columns missing: a=b;/],
  ])('import --map %j is refused', async (pairs, code, says) => {
    const maps = pairs.flatMap((pair) => ['--map', pair])
    const ended = await run('import', join(folder, 'waits.csv'), '--kind', 'security', ...maps, ...data)
    expect([ended.code, ended.stderr]).toEqual([code, expect.stringMatching(says)])
  })

  it('the import has rolled up its days; rollup computes them all on demand, and nothing when it runs again', async () => {
    expect(await json('run', 'rollup', '--json', ...data)).toEqual({ days: 0 })
    const all = await json<{ days: number }>('run', 'rollup', '--all', '--json', ...data)
    expect(all.days).toBeGreaterThanOrEqual(27)
    expect(await json('run', 'rollup', '--json', ...data)).toEqual({ days: 0 })
  })

  it('query prints a table, CSV or JSON', async () => {
    const sql = "SELECT iata, count(*)::INTEGER AS hours FROM rollups WHERE level = 'airport' GROUP BY 1 ORDER BY 1"
    const rows = await json<{ iata: string; hours: number }[]>('query', sql, '--format', 'json', ...data)
    expect(rows.map(({ iata }) => iata)).toEqual(['JAX', 'SEA'])
    // As a process, which runs the SQL in another one.
    const csv = await holdshort(['query', sql, '--format', 'csv', ...data])
    expect(csv.stdout.trim().split('\n')).toEqual(['iata,hours', ...rows.map(({ iata, hours }) => `${iata},${hours}`)])
    expect((await run('query', sql, ...data)).stdout).toContain('(2 rows)')
  })

  it('train exports a model with its backtest for the named airport', async () => {
    const args = ['train', '--airport', 'sea', '--cutoff', isoUtc(TO), '--settings', QUICK, '--json', ...data]
    const { rows, untrained } = await json<{ rows: Record<string, unknown>[]; untrained: unknown[] }>(...args)
    // Its passport control has no readings.
    expect(untrained).toMatchObject([{ kind: 'immigration', iata: 'SEA', code: 'NOT_ENOUGH_HISTORY' }])
    expect(rows).toHaveLength(1)
    expect(rows[0]).toMatchObject({ iata: 'SEA', served: expect.stringMatching(/^(model|rule|baseline)$/) })
  }, 60_000)

  it('models rollback holds the version before, and models promote serves the models of an experiment', async () => {
    const [model] = await json<{ version: string }[]>('models', 'pin', 'SEA', 'none', '--json', ...data)
    const other = join(folder, 'other.json')
    await writeFile(other, JSON.stringify(Object.assign(JSON.parse(await readFile(QUICK, 'utf8')), { seeds: [9] })))
    const train = ['train', '--airport', 'sea', '--cutoff', isoUtc(TO), '--settings', other]
    await run(...train, '--name', 'tried', '--no-publish', ...data)
    const list = await run('models', 'list', ...data)
    expect(list.stdout).toMatch(/Trainings of SEA \(airports: 1\)/)
    expect(list.stdout).toMatch(/tried .* 0 +\d+ +\d+\.\d\d +-?\d+\.\d %/)
    const [promoted] = await json<{ version: string }[]>('models', 'promote', 'tried', '--json', ...data)
    expect(promoted).toMatchObject({ champion: { run: 'tried', version: promoted!.version }, pinned_to: null })
    expect(promoted!.version).not.toBe(model!.version)
    const back = await json('models', 'rollback', 'SEA', '--json', ...data)
    expect(back).toMatchObject([{ version: model!.version, pinned_to: model!.version.slice('SEA@'.length) }])
    expect((await run('models', 'rollback', 'SEA', ...data)).stderr).toContain('no version before')
    await run('models', 'pin', 'SEA', 'none', ...data)
  }, 60_000)

  it('backtest writes the forecasts of the period in the documented columns', async () => {
    const out = join(folder, 'predictions.csv')
    const from = TO - 2 * DAY_MS
    const to = TO - DAY_MS
    const span = ['--from', isoUtc(from), '--to', isoUtc(to), '--every', '6h']
    const args = ['backtest', ...span, '--out', out, '--airport', 'SEA', '--settings', QUICK]
    await json(...args, '--json', ...data)
    const [header, ...lines] = (await readFile(out, 'utf8')).trim().split('\n')
    expect(header).toBe('airport,issued_at,valid_at,p10,p50,p90,p_within_5')
    expect(lines.length).toBeGreaterThan(100)
    const origins = new Set<number>()
    for (const line of lines) {
      const [airport, issued = '', valid = '', ...figures] = line.split(',')
      const [p10 = -1, p50 = -1, p90 = -1, within = -1] = figures.map(Number)
      origins.add(Date.parse(issued))
      expect(airport).toBe('SEA')
      const ahead = (Date.parse(valid) - Date.parse(issued)) / HOUR_MS
      expect(ahead).toBeGreaterThanOrEqual(0)
      expect(ahead).toBeLessThanOrEqual(168)
      expect(p10 >= 0 && p10 <= p50 && p50 <= p90 && within >= 0 && within <= 1, line).toBe(true)
    }
    expect([...origins].sort()).toEqual([0, 1, 2, 3, 4].map((i) => from + i * 6 * HOUR_MS))
  }, 60_000)

  it('backtest fails at once when its file cannot be written', async () => {
    const span = ['--from', isoUtc(TO - DAY_MS), '--to', isoUtc(TO)]
    const { code, stderr } = await run('backtest', ...span, '--out', join(folder, 'none', 'x.csv'), ...data)
    expect(code).toBe(2)
    expect(stderr).toContain('--out')
  })

  it('publish writes a snapshot that doctor can read', async () => {
    const { snapshot } = await json<{ snapshot: string }>('run', 'publish', '--json', ...data)
    vi.stubEnv('HOLDSHORT_CHROMIUM_PATH', '/no-browser')
    onTestFinished(() => void vi.unstubAllEnvs())
    const { stdout } = await run('doctor', '--json', ...data)
    const findings = JSON.parse(stdout) as { check: string; ok: boolean; says: string }[]
    expect(findings.find(({ check }) => check === 'snapshot')).toMatchObject({
      ok: true,
      says: `${snapshot}, readable`,
    })
    expect(findings.find(({ check }) => check === 'settings')?.ok).toBe(true)
  })
})

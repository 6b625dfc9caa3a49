import { expect, test } from 'vitest'
import { DAY_MS, HORIZON_HOURS, HOUR_MS } from '../../../config/domain.ts'
import { prepareSeries } from '../../../forecasting/features/profile.ts'
import type { Calibration } from '../../../forecasting/quantiles/calibration.ts'
import { pairedSkill } from '../../../forecasting/skill/bootstrap.ts'
import type { SeriesBacktest } from '../../../training/backtest/backtest.ts'
import { reportFigures } from '../../../training/report/figures.ts'
import { renderPage } from '../../../training/report/page.ts'
import { runSettings } from '../../../training/settings/run-settings.ts'
import { fakeSeries, peaks, START } from '../fake-series.ts'

const SPAN_DAYS = 8
const FROM = START + 30 * DAY_MS

/** A backtest whose served median is off by `error` minutes and whose baseline is off by 2, in turn above and below. */
function fakeRun(iata: string, error: number): { run: SeriesBacktest; series: ReturnType<typeof prepareSeries> } {
  const series = prepareSeries(fakeSeries(50, peaks(1, 0), { iata }))
  const rows = SPAN_DAYS * HORIZON_HOURS
  const column = (of: (row: number) => number) => Float64Array.from({ length: rows }, (_, row) => of(row))
  const issued_ms = column((row) => FROM + Math.floor(row / HORIZON_HOURS) * DAY_MS)
  const valid_ms = column((row) => issued_ms[row]! + (row % HORIZON_HOURS) * HOUR_MS)
  const truth = valid_ms.map((hour) => series.mean[series.hour_ms.indexOf(hour)] ?? Number.NaN)
  const off = (by: number) => {
    const p50 = truth.map((minutes, row) => minutes + (row % 2 === 0 ? by : -by))
    return { p10: p50.map((minutes) => minutes - 1.5), p50, p90: p50.map((minutes) => minutes + 1.5) }
  }
  const calibrated = (by: number) => ({ ...off(by), p_within_5: column(() => 0.9) })
  const contenders = { model: calibrated(error), rule: calibrated(1.5), baseline: calibrated(2) }
  const calibration = { samples: 0, buckets: [] } as unknown as Calibration
  return {
    series,
    run: {
      iata,
      terminal: '',
      issued_ms,
      valid_ms,
      horizon: Uint8Array.from({ length: rows }, (_, row) => row % HORIZON_HOURS),
      truth,
      raw: contenders,
      calibrated: contenders,
      served: new Uint8Array(rows),
      scored: new Uint8Array(rows).fill(1),
      calibrations: { model: calibration, rule: calibration, baseline: calibration },
      choice: 'model',
      adapted: null,
    },
  }
}

const fakes = [fakeRun('JFK', 1), fakeRun('LGA', 4), fakeRun('EWR', 1)]
const figures = reportFigures(
  fakes.map(({ run }) => run),
  fakes.map(({ series }) => series),
)

test('skill is one less the geometric mean of the ratios over airports, and its interval comes from whole days', () => {
  const day = (iata: string, k: number, loss: number, other_loss: number) => ({ iata, day: k, loss, other_loss })
  const equal = pairedSkill([day('JFK', 1, 1, 2), day('JFK', 2, 1, 2), day('LGA', 1, 8, 4), day('LGA', 2, 8, 4)])
  expect(equal).toEqual({ skill: 0, low: 0, high: 0 })
  const mixed = pairedSkill([1, 2, 3, 4, 5, 6].map((k) => day('JFK', k, k % 2 === 0 ? 1 : 3, 4)))!
  expect(mixed.skill).toBeCloseTo(0.5)
  expect(mixed.low).toBeLessThan(0.45)
  expect(mixed.high).toBeGreaterThan(0.55)
  expect(pairedSkill([day('JFK', 1, 0, 0)])).toBeNull()
})

test('the figures are those of the served forecasts', () => {
  expect(figures.overall.mae_minutes).toBeCloseTo(2)
  expect(figures.overall.references[0]).toMatchObject({ name: 'baseline', mae_minutes: expect.closeTo(2, 6) })
  expect(figures.overall.references[0]!.mae_skill!.skill).toBeCloseTo(1 - (0.5 * 2 * 0.5) ** (1 / 3))
  expect(figures.airports.map(({ coverage_80 }) => coverage_80)).toEqual([1, 0, 1])
  expect(figures.airports[0]!.skill).toMatchObject({ skill: expect.closeTo(0.5, 6), low: expect.closeTo(0.5, 6) })
  expect(figures.buckets.map(({ samples }) => samples).reduce((sum, samples) => sum + samples)).toBe(
    figures.overall.samples,
  )
  expect(figures.reliability).toMatchObject({
    expected_calibration_error: expect.closeTo(0.1, 6),
    brier: expect.closeTo(0.01, 6),
  })
  expect(figures.overall.width.p50).toBeCloseTo(3)
  expect(figures.misses[0]!.iata).toBe('LGA')
  expect(figures.weeks[0]!.hours.length).toBeGreaterThan(100)
})

test('the page needs nothing else, escapes what it is given, and names the command', () => {
  const page = renderPage(figures, {
    title: 'A & B',
    command: 'npx holdshort measure "<x>"',
    version: '0.1.0',
    source: 'folder <y>',
    from_ms: FROM,
    to_ms: FROM + SPAN_DAYS * DAY_MS,
    settings: runSettings({ seeds: [1] }),
    costs: { wall_seconds: 1, cpu_seconds: 2, peak_memory_mb: 300 },
    ablations: [{ group: 'holidays', inputs: 4, mae: { skill: 0.01, low: -0.01, high: 0.02 }, pinball: null }],
    opening: [
      {
        from_hours: 0,
        to_hours: 1,
        samples: 120,
        open: 0.75,
        brier: { served: 0.0123, always_open: 0.25, yesterday: 0.04, last_week: 0.06, same_hour: 0.03 },
        accuracy: { served: 0.98, always_open: 0.75, yesterday: 0.96, last_week: 0.94, same_hour: 0.97 },
        called_closed: 0.2,
        closed_when_called: 0.97,
        called_open: 0.7,
        open_when_called: 0.99,
      },
    ],
  })
  expect(page).toMatch(/Closed hours[\s\S]*0\.0123[\s\S]*0\.2500[\s\S]*97\.0 %/)
  expect(page).not.toMatch(/<script|<link|src=|url\(|@import|https?:/)
  expect(page.replaceAll(/&#\d+;/g, '')).not.toMatch(/<x>|<y>|A & B/)
  expect(page).toContain('npx holdshort measure')
  expect(page).toContain('1.0 %')
  expect(page.match(/<svg/g)!.length).toBeGreaterThanOrEqual(6)
  expect(page).not.toMatch(/NaN|undefined|Infinity/)
  expect(page.length).toBeLessThan(1_000_000)
})

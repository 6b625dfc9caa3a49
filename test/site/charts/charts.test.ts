import { DateTime } from 'luxon'
import { expect, test } from 'vitest'
import { HOUR_MS, isoUtc } from '../../../config/vocabulary.ts'
import { type BandData, bandChart, bandWords } from '../../../site/charts/band-chart.ts'
import { comparisonChart } from '../../../site/charts/comparison-chart.ts'
import { ChartSvg, chartFile } from '../../../site/charts/frame.tsx'
import { heatmapChart, type UsualData, usualWords } from '../../../site/charts/heatmap-chart.ts'
import { type HistoryData, historyChart, historyWords } from '../../../site/charts/history-chart.ts'
import { leaveByChart, leaveByWords } from '../../../site/charts/leave-by-chart.ts'
import { clockChange, localTicks } from '../../../site/charts/local-axis.ts'
import { runsOf } from '../../../site/charts/marks.ts'
import { FILE_STYLE } from '../../../site/charts/palette.ts'
import { recordChart } from '../../../site/charts/record-chart.ts'
import { reliabilityChart } from '../../../site/charts/reliability-chart.ts'
import { skillChart } from '../../../site/charts/skill-chart.ts'
import { chartToolkit } from '../../../site/charts/toolkit.ts'
import { renderMarkup } from '../../../site/markup/render.ts'
import { NOW, THIS_HOUR } from '../../api/example-snapshot.ts'
import { EXHAUSTIVE } from '../../exhaustive.ts'

/** A wait that grows to the middle of the day. */
const waitAt = (hour: number) => Math.round(8 + 14 * Math.max(0, Math.sin(((hour - 5) / 16) * Math.PI)))

/** A band of JFK at 09:20 local time, closed from 01:00 to 04:00, with one hour that nobody observed. */
function exampleBand(over: Partial<BandData> = {}): BandData {
  const localHour = (k: number) => (9 + k + 48) % 24
  return {
    place: 'JFK',
    timezone: 'America/New_York',
    now: NOW,
    current_minutes: 14,
    past: Array.from({ length: 24 }, (_, k) => {
      const wait_minutes = waitAt(localHour(k - 24))
      return {
        time: isoUtc(THIS_HOUR - (24 - k) * HOUR_MS),
        observed_minutes: k === 12 ? null : wait_minutes + ((k * 7) % 11) - 5,
      }
    }),
    ahead: Array.from({ length: 24 }, (_, k) => {
      const isClosed = localHour(k) >= 1 && localHour(k) < 4
      const wait_minutes = waitAt(localHour(k))
      const minutes = { wait_minutes, low: Math.max(0, wait_minutes - 5), high: wait_minutes + 9 }
      return {
        time: isoUtc(THIS_HOUR + k * HOUR_MS),
        ...(isClosed ? { wait_minutes: null, low: null, high: null } : minutes),
        status: isClosed ? 'closed' : 'open',
      }
    }),
    ...over,
  }
}

const exampleUsual = (): UsualData => ({
  place: 'JFK',
  days: 90,
  hours: [1, 2, 3, 4, 5, 6, 7].flatMap((day_of_week) =>
    Array.from({ length: 24 }, (_, hour) => hour)
      .filter((hour) => hour >= 4 || hour === 0)
      .map((hour) => {
        const p50 = waitAt(hour) + (day_of_week === 5 || day_of_week === 7 ? 2 * (hour % 12) : 0)
        return { day_of_week, hour, p50, p90: p50 + 9, samples: 12 }
      }),
  ),
  now: { day_of_week: 6, hour: 9 },
})

const exampleHistory = (): HistoryData => ({
  place: 'JFK',
  from: '2026-08-24',
  to: '2026-11-21',
  days: Array.from({ length: 90 }, (_, k) => {
    const p50 = Math.round(14 + 5 * Math.sin(k / 4))
    return {
      date: isoUtc(Date.parse('2026-08-24T00:00:00Z') + k * 24 * HOUR_MS).slice(0, 10),
      hours: 20,
      p10: p50 - 6,
      p50,
      p90: p50 + 12,
    }
  }).filter((_, k) => k < 30 || k > 36),
})

const clocks = (ticks: ReturnType<typeof localTicks>) => ticks.map(({ label }) => label.replace('\n', ' '))

test('ticks are full local hours: across a clock change, at offsets of a quarter hour, with the day at midnight', () => {
  const from = DateTime.fromISO('2026-11-01T00:00', { zone: 'America/New_York' }).toMillis()
  expect(clocks(localTicks(from, from + 25 * HOUR_MS, 'America/New_York', 6))).toEqual([
    '00:00 Sun 1',
    '06:00',
    '12:00',
    '18:00',
    '00:00 Mon 2',
  ])
  // The hour from 01:00 occurs twice, and has one tick.
  const ticks = localTicks(from, from + 4 * HOUR_MS, 'America/New_York', 1)
  expect(clocks(ticks)).toEqual(['00:00 Sun 1', '01:00', '02:00', '03:00'])
  expect(ticks.map(({ instant }) => (instant - from) / HOUR_MS)).toEqual([0, 1, 3, 4])
  const katmandu = localTicks(
    Date.parse('2026-11-21T00:00:00Z'),
    Date.parse('2026-11-21T02:00:00Z'),
    'Asia/Kathmandu',
    1,
  )
  expect(katmandu.map(({ instant, label }) => [isoUtc(instant).slice(11, 16), label])).toEqual([
    ['00:15', '06:00'],
    ['01:15', '07:00'],
  ])
})

test('a clock change is found to the minute, and a day without one has none', () => {
  const instantOf = (date: string) => Date.parse(date)
  expect(clockChange(instantOf('2026-03-28T12:00:00Z'), instantOf('2026-03-30T12:00:00Z'), 'Europe/Berlin')).toEqual({
    instant: instantOf('2026-03-29T01:00:00Z'),
    minutes: 60,
  })
  expect(clockChange(instantOf('2026-10-31T12:00:00Z'), instantOf('2026-11-02T12:00:00Z'), 'America/New_York')).toEqual(
    {
      instant: instantOf('2026-11-01T06:00:00Z'),
      minutes: -60,
    },
  )
  expect(clockChange(instantOf('2026-11-21T00:00:00Z'), instantOf('2026-11-23T00:00:00Z'), 'Asia/Tokyo')).toBeNull()
})

test('a line is not drawn across hours without a value, and a single hour has a length', () => {
  const hours = [1, 3, 4].map((hour) => THIS_HOUR + (hour - 1) * HOUR_MS)
  const points = runsOf(hours, (start) => start, HOUR_MS)
  const placed = points.map(({ instant, run, value }) => [
    (instant - THIS_HOUR) / HOUR_MS,
    run,
    (value - THIS_HOUR) / HOUR_MS + 1,
  ])
  expect(placed).toEqual([
    [0, 1, 1],
    [0.5, 1, 1],
    [1, 1, 1],
    [2, 2, 3],
    [2.5, 2, 3],
    [3.5, 2, 4],
    [4, 2, 4],
  ])
})

test('the shortest hour of a chart is one in which security is open, as far as that is known', () => {
  const hour = (time: string, wait_minutes: number, status: 'open' | 'unknown') => ({
    time,
    wait_minutes,
    low: 0,
    high: 30,
    status,
  })
  const night = '2026-11-22T08:00:00Z'
  const day = hour('2026-11-21T20:00:00Z', 9, 'unknown')
  const later = hour('2026-11-21T21:00:00Z', 12, 'unknown')
  const shortest = (status: 'open' | 'unknown') =>
    /shortest at \S+ with about \d+/.exec(bandWords(exampleBand({ ahead: [day, later, hour(night, 2, status)] })))?.[0]
  expect(shortest('unknown')).toBe('shortest at 15:00 with about 9')
  expect(shortest('open')).toBe('shortest at 03:00 with about 2')
})

test('the words of a chart say what its marks say, and what is not known', () => {
  expect(bandWords(exampleBand())).toBe(
    'Security wait at JFK in minutes, in local time (America/New_York). Now, at 09:20: 14 min. Next 24 hours: longest at 12:00 with about 22 min (8 of 10 waits from 17 to 31), shortest at 21:00 with about 8 min. Expected to be closed from 01:00 to 04:00. Last 24 hours: 23 hours observed, from 4 to 27 min.',
  )
  expect(bandWords(exampleBand({ past: [], ahead: [], current_minutes: null }))).toBe(
    'Security wait at JFK in minutes, in local time (America/New_York). No forecast is known. Nothing was observed in the last 24 hours.',
  )
  const { past, ahead } = exampleBand()
  const closed = ahead.map((hour) => ({
    ...hour,
    wait_minutes: null,
    low: null,
    high: null,
    status: 'closed' as const,
  }))
  const observed = [{ ...past[0]!, observed_minutes: 12 }]
  expect(bandWords(exampleBand({ past: observed, ahead: closed, current_minutes: null }))).toBe(
    'Security wait at JFK in minutes, in local time (America/New_York). Expected to be closed in all of these hours. Last 24 hours: 1 hour observed, 12 min.',
  )
  expect(usualWords(exampleUsual())).toContain('This hour of the week: usually 18 min, one time in ten 27 min or more.')
  expect(usualWords({ ...exampleUsual(), hours: [] })).toBe('No wait at JFK was observed in the last 90 days.')
  expect(historyWords(exampleHistory())).toContain('on 83 of the last 90 local days')
  const leave = {
    place: 'JFK',
    timezone: 'America/New_York',
    curve: [
      { leave_at: '2026-11-21T17:00:00Z', probability: 0.99 },
      { leave_at: '2026-11-21T18:00:00Z', probability: 0.4 },
    ],
    recommended: { leave_at: '2026-11-21T17:00:00Z', probability: 0.9599 },
    confidence: 0.95,
    departure: '2026-11-21T20:00:00Z',
    now: NOW,
  }
  expect(leaveByWords({ ...leave, counts_travel: true })).toBe(
    'Chance of catching the flight by the local time of leaving. Leaving at 12:00 gives 95 %. From 13:00 on it is less than even. Wanted: 95 %.',
  )
  expect(leaveByWords({ ...leave, counts_travel: false })).toMatch(
    /^Chance of catching the flight by the local time at the airport\. Being there at 12:00 gives 95 %\./,
  )
})

const texts = (over = {}) => ({
  heading: 'A “<b>name</b>” & more',
  subheading: 'As of 09:20',
  footer: ['Source: <script>alert(1)</script>'],
  simulated: false,
  ...over,
})

test.runIf(EXHAUSTIVE)(
  'every chart draws without data and with it, without inline style, with a name and words',
  async () => {
    const kit = await chartToolkit()
    const leave = {
      place: 'JFK',
      timezone: 'America/New_York',
      curve: [],
      recommended: null,
      confidence: 0.95,
      departure: '2026-11-21T20:00:00Z',
      counts_travel: false,
      now: NOW,
    }
    const charts = [
      bandChart(kit, exampleBand()),
      bandChart(kit, exampleBand({ past: [], ahead: [], current_minutes: null })),
      heatmapChart(kit, exampleUsual()),
      heatmapChart(kit, { ...exampleUsual(), hours: [] }),
      historyChart(kit, exampleHistory()),
      historyChart(kit, { ...exampleHistory(), days: [] }),
      leaveByChart(kit, leave),
      comparisonChart(kit, { airports: [] }),
      recordChart(kit, { place: 'JFK', rows: [] }),
      reliabilityChart(kit, { live: [], backtest: [] }),
      skillChart(kit, { points: [] }),
    ]
    for (const chart of charts) {
      const file = chartFile(chart, texts())
      expect(file, chart.title).not.toMatch(/var\(|NaN|undefined|<b>|<script|currentColor/)
      expect(file).toContain(FILE_STYLE)
      expect(file).toContain('role="img"')
      expect(chart.description.length).toBeGreaterThan(20)
    }
  },
)

test.runIf(EXHAUSTIVE)('names from outside stay text in a chart, whatever they contain', async () => {
  const kit = await chartToolkit()
  const airport = '"><script>alert(1)</script>'
  const chart = comparisonChart(kit, {
    airports: [{ airport, wait_minutes: 3, low: null, high: null, status: 'open', basis: 'measured', spread: null }],
  })
  expect(chartFile(chart, texts())).toContain('&lt;script')
  expect(chartFile(chart, texts())).not.toContain('<script')
})

test.runIf(EXHAUSTIVE)('two charts of a page have different ids', () => {
  const chart = { title: 'A', description: 'B', legend: [], width: 10, height: 10, marks: [] }
  const ids = ['one', 'two'].map((id) => renderMarkup(ChartSvg({ chart, id })))
  expect(ids[0]).not.toBe(ids[1])
})

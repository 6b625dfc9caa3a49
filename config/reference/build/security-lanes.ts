import { quantile } from '../../../forecasting/statistics/statistics.ts'
import { laneOfHistoryCell } from '../../lanes.ts'
import { getOrCreate } from '../../once.ts'
import type { Lane } from '../../vocabulary.ts'
import { evidence } from '../evidence.ts'
import { RATIO_FRACTIONS, type SecurityLane } from '../security-lanes.ts'
import type { SourceFolder } from './source-folder.ts'

const FILE = 'security-us-2026/security_us_2026.csv.gz'
const SOURCE = 'waits posted by 18 US airports, 2026-04-20 to 2026-07-20, computed by `npm run reference`'
/** Their waits in this history hardly ever change, or are stale. */
const STALE: ReadonlySet<string> = new Set('BNA DAL DCA IAD JAX ORD OMA'.split(' '))
const LANES: readonly Lane[] = ['standard', 'precheck', 'clear', 'priority']
/** Fewer readings of a lane at an airport do not show its spread. */
const MIN_READINGS = 300

interface Reading {
  lane: Lane
  wait_minutes: number
}

/** The readings with a wait, by airport and UTC hour. A lane that is not split counts as standard. */
function readingsByHour(from: SourceFolder): Map<string, Reading[]> {
  const hours = new Map<string, Reading[]>()
  for (const row of from.history(FILE)) {
    const cell = laneOfHistoryCell(row['lane'] ?? '')
    if (!cell || !row['wait_minutes'] || row['status'] === 'closed' || STALE.has(row['airport'] ?? '')) continue
    const key = `${row['airport']}/${row['observed_at']?.slice(0, 13)}`
    const reading = { lane: cell === 'all' ? ('standard' as const) : cell, wait_minutes: Number(row['wait_minutes']) }
    getOrCreate(hours, key, () => []).push(reading)
  }
  return hours
}

/** Computes how far the wait at one lane lies from the average of the airport's standard lanes, by airport and for all. */
export function importSecurityLanes(from: SourceFolder): SecurityLane[] {
  const groups = new Map<string, { values: number[]; hours: Set<string> }>()
  for (const [hour, readings] of readingsByHour(from)) {
    const standard = readings.filter(({ lane }) => lane === 'standard')
    if (standard.length === 0) continue
    const mean = standard.reduce((sum, { wait_minutes }) => sum + wait_minutes, 0) / standard.length
    for (const { lane, wait_minutes } of readings) {
      for (const iata of [hour.slice(0, 3), '']) {
        const key = `${iata}/${lane}`
        const group = getOrCreate(groups, key, () => ({ values: [], hours: new Set<string>() }))
        group.values.push((wait_minutes + 1) / (mean + 1))
        group.hours.add(hour)
      }
    }
  }
  return [...groups]
    .map(([key, ratios]) => ({
      iata: key.slice(0, key.indexOf('/')) || null,
      lane: key.slice(key.indexOf('/') + 1) as Lane,
      ...ratios,
    }))
    .filter(({ lane, values }) => LANES.includes(lane) && values.length >= MIN_READINGS)
    .map(({ iata, lane, values, hours }) => {
      const ascending = Float64Array.from(values).sort()
      return {
        iata,
        lane,
        ratios: RATIO_FRACTIONS.map((fraction) => Math.round(quantile(ascending, fraction) * 1_000) / 1_000),
        readings: values.length,
        hours: hours.size,
        airport_count: new Set([...hours].map((hour) => hour.slice(0, 3))).size,
        ...evidence(SOURCE, '2026-07-20'),
      }
    })
    .toSorted((a, b) => `${a.iata ?? ''}${a.lane}`.localeCompare(`${b.iata ?? ''}${b.lane}`))
}

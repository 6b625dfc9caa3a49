import { HOUR_MS } from '../../config/domain.ts'
import type { SnapshotContent } from '../../warehouse/publishing/read/index.ts'
import { historyOf } from '../api/fake-snapshot.ts'
import { DEAREST_AIRPORT } from './dearest-questions.ts'
import { busyAirports, withWaitsDelaysAndWeather } from './mcp-snapshot.ts'

const TERMINALS = ['1', '2', '3', '4', '5', '6', '7', '8', 'A', 'B', 'C', 'D']
const HISTORY_HOURS = 90 * 24

/** A snapshot of every airport, with twelve terminals and 90 whole days of history at one of them. */
export function dearestSnapshot(content: SnapshotContent): SnapshotContent {
  const whole = withWaitsDelaysAndWeather(content)
  const end = Math.floor(Date.parse(content.generated_at) / HOUR_MS) * HOUR_MS
  const starts = Array.from({ length: HISTORY_HOURS }, (_, at) => end - (HISTORY_HOURS - at) * HOUR_MS)
  const wait = (start: number) => 50 + ((start / HOUR_MS) % 24) * 10
  const queues = whole.queues.map((queue) => {
    const [first] = queue.wait.terminals
    if (queue.iata !== DEAREST_AIRPORT || !first) return queue
    const terminals = TERMINALS.map((terminal) => {
      const checkpoints = first.checkpoints.flatMap((checkpoint) =>
        ['North', 'South', 'East', 'West'].map((name) => ({ ...checkpoint, checkpoint: `${terminal} ${name}` })),
      )
      return { ...first, terminal, checkpoints }
    })
    return { ...queue, wait: { ...queue.wait, terminals } }
  })
  return {
    ...whole,
    queues,
    history: ['', ...TERMINALS].map((terminal) => historyOf(DEAREST_AIRPORT, starts, wait, terminal)),
  }
}

export const dearestCodes = (): string[] => busyAirports().map(({ iata }) => iata)

import { type Airport, airportDirectory } from '../../config/airports/directory.ts'
import { exampleContent } from '../../test/api/example-snapshot.ts'
import { measured } from '../../test/api/fake-snapshot.ts'
import type { SnapshotContent } from '../../warehouse/publishing/read/index.ts'

const MEASURED_AIRPORTS = 70
const DELAYED_AIRPORTS = 20

/** Large airports with scheduled flights; by default about as many as have a live source in a full installation. */
export const busyAirports = (count = MEASURED_AIRPORTS): Airport[] =>
  airportDirectory()
    .all.filter(({ size, scheduled_service }) => size === 'large' && scheduled_service)
    .slice(0, count)

/** Adds what tools answer besides forecasts to a snapshot: waits of 70 airports, delays of 20, the weather of every station. */
export function withWaitsDelaysAndWeather(content: SnapshotContent): SnapshotContent {
  const { delays, weather } = exampleContent()
  const wait = measured(Date.parse(content.generated_at), 14)
  const [example] = wait.terminals
  const [lane] = example!.checkpoints
  const terminals = ['1', '2', '3'].map((terminal) => {
    const lanes = (['standard', 'precheck'] as const).map((name) => ({ ...lane!, checkpoint: terminal, lane: name }))
    return { ...example!, terminal, checkpoints: lanes }
  })
  const { all } = airportDirectory()
  const american = all.filter(({ faa_id, size }) => faa_id !== null && size === 'large').slice(0, DELAYED_AIRPORTS)
  return {
    ...content,
    queues: busyAirports().map(({ iata }) => ({ iata, kind: 'security', wait: { ...wait, terminals } })),
    delays: Object.fromEntries(american.map(({ iata }) => [iata, delays!['JFK']!])),
    quiet: delays!['LGA']!,
    weather: all.flatMap(({ icao }) => (icao === null ? [] : { ...weather!['KJFK']!, icao })),
  }
}

import type { Airport } from '../../../config/airports/directory.ts'
import type { Immigration } from '../../data/queries/get-immigration.ts'
import { type BorderWaits, getEesWaitTimesTool } from '../../data/tools/get-ees-wait-times.ts'
import { sentenceOf } from '../../data/tools/text.ts'
import { From } from './figure.tsx'
import { clockOn } from './words.ts'

/** Passport control hour by hour, and the Entry/Exit System where it applies. */
export function BorderSection({
  immigration,
  border,
  airport,
  now,
}: {
  immigration: Immigration | null
  border: BorderWaits | null
  airport: Airport
  now: number
}) {
  const queues = immigration?.queues ?? []
  const text = border ? (getEesWaitTimesTool.text(border as never, border as never) as string).split('\n') : []
  const [first, ...others] = queues
  return (
    <>
      {first && <BorderQueue queue={first} timezone={airport.timezone} now={now} />}
      {(others.length > 0 || text.length > 0) && (
        <details>
          <summary>More of passport control</summary>
          {others.map((queue) => (
            <BorderQueue queue={queue} timezone={airport.timezone} now={now} />
          ))}
          <BorderNotes queues={queues} />
          {text.map((line) => (
            <p>{line}</p>
          ))}
        </details>
      )}
    </>
  )
}

/** Whether anything is known of passport control. */
export const hasBorder = (immigration: Immigration | null, border: BorderWaits | null) =>
  border !== null || (immigration?.queues.length ?? 0) > 0

const DIRECTIONS = {
  entry: 'Entering the Schengen area',
  exit: 'Leaving the Schengen area',
  unknown: 'Border control',
} as const

function BorderQueue({
  queue,
  timezone,
  now,
}: {
  queue: Immigration['queues'][number]
  timezone: string
  now: number
}) {
  const { hours, direction, terminal, basis, source } = queue
  const name = direction === null ? 'Arrivals' : DIRECTIONS[direction]
  const place = terminal === null ? '' : `, ${terminal}`
  if (hours.length === 0) return <p>{`${name}${place}: no passengers are expected in the hours shown.`}</p>
  const busiest = hours.reduce((most, hour) => (hour.wait_minutes > most.wait_minutes ? hour : most))
  const first = hours[0]!
  const isFlat = hours.every(({ wait_minutes }) => wait_minutes === first.wait_minutes)
  return (
    <p>
      <strong>
        <bdi>{`${name}${place}`}</bdi>
      </strong>
      : about {first.wait_minutes} min {isFlat ? 'at all hours' : `at ${clockOn(first.time, timezone, now)}`} (
      {first.low}–{first.high})
      {isFlat ? '' : `, longest at ${clockOn(busiest.time, timezone, now)} with about ${busiest.wait_minutes} min`}.{' '}
      {basis === 'typical' ? 'An estimate, not measured here. ' : ''}
      <From source={source} />
    </p>
  )
}

/** What is said of each queue's figures, once where it is the same of several. */
function BorderNotes({ queues }: { queues: Immigration['queues'] }) {
  const notes = [...new Set(queues.flatMap(({ note }) => note ?? []))]
  return (
    <>
      {notes.map((note) => (
        <p>{sentenceOf(note)}</p>
      ))}
    </>
  )
}

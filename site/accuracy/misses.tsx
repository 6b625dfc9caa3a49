import type { Accuracy } from '../../answers/accuracy/get-accuracy.ts'
import type { Directory } from '../../config/airports/directory.ts'
import { countText } from '../../config/count-text.ts'
import { type Column, Moment, noted, number, Table } from '../pages/elements.tsx'
import { isJudged } from './figures-text.ts'

const MISS_COLUMNS: Column[] = ['Airport', 'Hour', number('Forecast'), number('Observed'), 'What is known']

export function Misses({ record, directory }: { record: Accuracy; directory: Directory }) {
  const { misses } = record
  if (misses.length === 0)
    return <p>{isJudged(record) ? 'No miss of these days is listed yet.' : 'Too few hours have come true yet.'}</p>
  return (
    <>
      <p>
        The hours furthest outside the 80 % interval that was forecast one to five hours before, with what the sources
        said about the hour. Nothing is guessed: where nothing is known, nothing is said.
      </p>
      <MissTable misses={misses.slice(0, MISSES_SHOWN)} directory={directory} />
      {misses.length > MISSES_SHOWN && (
        <details>
          <summary>Show {misses.length - MISSES_SHOWN} more</summary>
          <MissTable misses={misses.slice(MISSES_SHOWN)} directory={directory} />
        </details>
      )}
    </>
  )
}

/** The worst misses that are shown unfolded. */
const MISSES_SHOWN = 3

function MissTable({ misses, directory }: { misses: Accuracy['misses']; directory: Directory }) {
  return (
    <Table
      label="Worst misses"
      columns={MISS_COLUMNS}
      rows={misses.map(({ airport, hour, low, high, wait_minutes, observed_minutes, samples, known }) => [
        noted(airport, directory.byIata.get(airport)?.name),
        <Moment instant={hour} />,
        <>
          {Math.round(wait_minutes)} min
          <span>
            {Math.round(low)} to {Math.round(high)}
          </span>
        </>,
        noted(`${Math.round(observed_minutes)} min`, countText(samples, 'reading')),
        known.length === 0 ? <td class="none">nothing</td> : known.join('; '),
      ])}
    />
  )
}

import type { Accuracy } from '../../../answers/accuracy/get-accuracy.ts'
import type { Directory } from '../../../config/airports/directory.ts'
import { DAY_MS } from '../../../config/domain.ts'
import { type Column, Moment, number, Table } from '../pages/elements.tsx'

/** Where a forecast is as a file, with what came true. */
const vintageFile = (airport: string, as_of: string, format: 'csv' | 'json') =>
  `/accuracy/vintage.${format}?airport=${airport}&as_of=${encodeURIComponent(as_of)}`

const VintageLinks = ({ airport, as_of }: { airport: string; as_of: string }) => {
  const [csv, json] = [vintageFile(airport, as_of, 'csv'), vintageFile(airport, as_of, 'json')]
  return (
    <>
      <a href={csv}>CSV</a> <a href={json}>JSON</a>
    </>
  )
}

/** A form that leads to the file of a forecast. */
export function Vintages({ record: { airports, generated_at } }: { record: Accuracy }) {
  const own = [...new Set(airports.filter(({ basis }) => basis === 'predicted').map(({ airport }) => airport))]
  if (own.length === 0) return <p>No airport has a forecast of its own yet.</p>
  const dayBefore = `${new Date(Date.parse(generated_at) - DAY_MS).toISOString().slice(0, 13)}:00:00Z`
  return (
    <form class="vintages" method="get" action="/accuracy/vintage.csv">
      <label for="vintage-airport">Airport</label>
      <select id="vintage-airport" name="airport">
        {own.map((airport) => (
          <option>{airport}</option>
        ))}
      </select>
      <label for="vintage-instant">Newest forecast until (UTC)</label>
      <input id="vintage-instant" name="as_of" value={dayBefore} required />
      <button>CSV</button>
      <button class="second" formaction="/accuracy/vintage.json">
        JSON
      </button>
    </form>
  )
}

const MISS_COLUMNS: Column[] = [
  'Airport',
  'Hour',
  number('Forecast'),
  number('Observed'),
  'What is known',
  'The forecast',
]

export function Misses({ record, directory }: { record: Accuracy; directory: Directory }) {
  const { misses } = record
  if (misses.length === 0)
    return (
      <p>{record.horizons.some(({ figures }) => figures) ? 'No hour was outside its range.' : 'Nothing scored yet.'}</p>
    )
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
    <Table label="Worst misses" columns={MISS_COLUMNS}>
      {misses.map(({ airport, hour, low, high, wait_minutes, observed_minutes, samples, known, ...miss }) => (
        <tr>
          <th scope="row">
            {airport} <span>{directory.byIata.get(airport)?.name}</span>
          </th>
          <td>
            <Moment at={hour} />
          </td>
          <td class="number">
            {Math.round(wait_minutes)} min
            <span>
              {Math.round(low)} to {Math.round(high)}
            </span>
          </td>
          <td class="number">
            {Math.round(observed_minutes)} min <span>{samples === 1 ? '1 reading' : `${samples} readings`}</span>
          </td>
          <td class={known.length === 0 ? 'none' : ''}>{known.length === 0 ? 'nothing' : known.join('; ')}</td>
          <td>
            <VintageLinks airport={airport} as_of={miss.issued_at} />
          </td>
        </tr>
      ))}
    </Table>
  )
}

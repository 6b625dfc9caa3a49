import type { Airport } from '../../config/airports/directory.ts'
import type { MetroCode } from '../../config/reference/metro-codes.ts'
import { quoted } from '../../config/untrusted-text.ts'
import { AirportLink, placeText } from '../pages/elements.tsx'
import type { Page } from '../pages/shell.tsx'
import type { AirportRequest } from './answers.ts'
import { cardOf } from './card.ts'
import { RowWait } from './wait-card.tsx'

/** What the waits of a list are read from; null where none are shown. */
type WaitsOf = Omit<AirportRequest, 'airport'> | null

const AirportList = ({ airports, waits = null }: { airports: readonly Airport[]; waits?: WaitsOf }) => (
  <ul class="hits">
    {airports.map((airport) => (
      <li>
        <AirportLink airport={airport} about={<small>{placeText(airport)}</small>}>
          <RowWait card={waits && cardOf({ ...waits, airport }).shown} />
        </AirportLink>
      </li>
    ))}
  </ul>
)

/** A code that stands for all airports of a city. */
export function cityPage({ metro, name }: MetroCode, airports: readonly Airport[], waits: WaitsOf): Page {
  const codes = airports.slice(0, 5).map(({ iata }) => iata)
  return {
    title: `${metro} stands for the airports of ${name}`,
    description: `The airports of ${name}: ${airports.map(({ iata }) => iata).join(', ')}.`,
    head: <meta name="robots" content="noindex" />,
    body: (
      <>
        <p>Choose the airport that you mean:</p>
        <AirportList airports={airports} waits={waits} />
        {codes.length > 1 && (
          <p>
            <a href={`/compare?airports=${codes.join(',')}`}>Compare {codes.join(', ')}</a>
          </p>
        )}
      </>
    ),
  }
}

/** The code of a closed airport, with the one that took its place. */
export function closedAirportPage(notice: string, successor: Airport | null, waits: WaitsOf): Page {
  return {
    title: notice,
    head: <meta name="robots" content="noindex" />,
    body: (
      <>
        {successor && (
          <>
            <p>Flights use this airport now:</p>
            <AirportList airports={[successor]} waits={waits} />
          </>
        )}
        <p>
          <a href="/">All airports on the map</a>
        </p>
      </>
    ),
  }
}

/** A code that no airport has, with what may have been meant. */
export function unknownAirportPage(text: string, airports: readonly Airport[]): Page {
  return {
    title: 'No airport has this code',
    status: 404,
    head: <meta name="robots" content="noindex" />,
    body: (
      <>
        <p>
          No airport has the code <bdi>{quoted(text)}</bdi>. Codes have three letters, such as JFK; you can also search
          by name or city in the field above.
        </p>
        {airports.length > 0 && (
          <>
            <p>Perhaps you mean one of these:</p>
            <AirportList airports={airports} />
          </>
        )}
        <p>
          <a href="/">All airports on the map</a>
        </p>
      </>
    ),
  }
}

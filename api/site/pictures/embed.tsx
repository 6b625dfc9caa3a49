import type { AirportRequest } from '../airport/answers.ts'
import { cardOf } from '../airport/card.ts'
import type { PreparedAirport } from '../airport/prepare.ts'
import { Card } from '../airport/wait-card.tsx'
import { localNow } from '../airport/words.ts'
import { ChartPair } from '../charts/frame.tsx'
import { Document } from '../pages/document.tsx'
import { Sign } from '../pages/elements.tsx'
import { SimulatedBanner } from '../pages/shell.tsx'

/** The wait now and the next 24 hours for a frame on another site. */
export function embedDocument(request: AirportRequest, { charts }: PreparedAirport, site_url: string) {
  const { airport, snapshot, now } = request
  const card = cardOf(request).shown
  const { clock, day } = localNow(now, airport.timezone)
  const page = `${site_url}/airports/${airport.iata}`
  return (
    <Document
      title={`${airport.iata}: security wait now`}
      description={`Security wait at ${airport.name}`}
      kind="embed"
      head={<link rel="canonical" href={page} />}
    >
      {snapshot.simulated && <SimulatedBanner />}
      <main>
        <h1>
          <Sign code={airport.iata} /> <bdi>{airport.name}</bdi>
        </h1>
        {card ? <Card card={card} /> : <p>This site shows waits to signed-in people only.</p>}
        {charts.band && <ChartPair narrow={charts.band.narrow} wide={charts.band.wide} id="embed" />}
        <p class="from">
          {clock} local time, {day}.{' '}
          <a href={page} target="_top">
            More at Holdshort
          </a>
        </p>
      </main>
    </Document>
  )
}

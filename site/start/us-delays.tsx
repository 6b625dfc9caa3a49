import { airportsInStorms } from '../../answers/questions/airports-in-storms.ts'
import { type FaaDelays, getFaaDelays } from '../../answers/questions/get-faa-delays.ts'
import { type DelayNews, delayNews } from '../../answers/statements/delay-news.ts'
import { NO_DELAY, TIMES_OF_LISTS } from '../../answers/statements/delay-text.ts'
import { sentenceOf } from '../../answers/statements/text.ts'
import type { mapEntries } from '../map/map-entries.ts'
import { AirportLink, Moment, Section } from '../pages/elements.tsx'

const MAX_LISTED = 6

type Mapped = Parameters<typeof mapEntries>[1]

interface NewsRow {
  airport: { iata: string; name: string }
  /** What may stop a flight there, the gravest first. */
  news: readonly Pick<DelayNews, 'status' | 'title' | 'line'>[]
}

/** What outranks weather that may stop flights: they are stopped. */
const STOPPED: readonly string[] = ['closed', 'ground_stop']

/** The airports that the FAA delays now. */
const delayedNow = (day: FaaDelays, { snapshot, directory, now }: Mapped): NewsRow[] =>
  day.airports.flatMap(({ airport: iata, name, status }) => {
    const airport = directory.byIata.get(iata)
    const news = airport && delayNews(snapshot.delays(iata), airport, now)
    // What begins later is not of now.
    return news && status !== 'normal' ? [{ airport: { iata, name }, news: [news] }] : []
  })

/** These airports and those where the weather may stop flights now, in one order: stopped, may be stopped, late. */
function withStorms(delayed: readonly NewsRow[], input: Mapped): NewsRow[] {
  const storms = airportsInStorms(input).map(({ airport, news: { title, line } }): NewsRow => {
    return { airport, news: [{ status: 'ground_stop', title, line }] }
  })
  const isStopped = ({ news }: NewsRow) => STOPPED.includes(news[0]!.status)
  const late = delayed.filter((row) => !isStopped(row))
  const rows = new Map<string, NewsRow>()
  for (const { airport, news } of [...delayed.filter(isStopped), ...storms, ...late])
    rows.set(airport.iata, { airport, news: [...(rows.get(airport.iata)?.news ?? []), ...news] })
  return [...rows.values()]
}

/** The airports whose flights are late or stopped, or may be by the weather, the gravest first. */
export function UsDelays({ input }: { input: Mapped }) {
  const day = getFaaDelays.run({}, { ...input, tier: getFaaDelays.tier }) as FaaDelays
  const { known, summary, observed_at } = day
  const delayed = delayedNow(day, input)
  const rows = withStorms(delayed, input)
  return (
    <Section id="delays" title="US flight delays now">
      {!known && <p class="quiet">{summary}</p>}
      {known && delayed.length === 0 && <p class="quiet">{NO_DELAY}</p>}
      <ol class="worst">
        {rows.slice(0, MAX_LISTED).map(({ airport, news }) => (
          <li>
            <AirportLink airport={airport} about={<small>{news.map(({ line }) => sentenceOf(line)).join(' ')}</small>}>
              <div class="states">
                {news.map(({ status, title }) => (
                  <b class={`state ${status}`}>{title}</b>
                ))}
              </div>
            </AirportLink>
          </li>
        ))}
      </ol>
      <p class="small quiet">
        {rows.length > MAX_LISTED && `${rows.length - MAX_LISTED} more. `}
        {observed_at !== null && (
          <>
            As the FAA had it at <Moment instant={observed_at} />. {TIMES_OF_LISTS}{' '}
          </>
        )}
        <a href="/delays">All of the FAA’s day</a>.
      </p>
    </Section>
  )
}

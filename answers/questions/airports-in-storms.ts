import type { Airport } from '../../config/airports/directory.ts'
import { AirportSize } from '../../config/vocabulary.ts'
import { type AlertNews, leadingAlert } from '../statements/alert-news.ts'
import type { QueryContext } from './define.ts'

export interface AirportInStorm {
  airport: Airport
  news: AlertNews
}

/** The airports of airlines at which the weather may stop flights now, by the alerts for them: the large ones first. */
export function airportsInStorms({
  snapshot,
  directory,
  now,
}: Pick<QueryContext, 'snapshot' | 'directory' | 'now'>): AirportInStorm[] {
  const inStorms = snapshot.airportsWithAlerts().flatMap((iata): AirportInStorm[] => {
    const airport = directory.byIata.get(iata)
    const news = leadingAlert(snapshot.weatherAlerts(iata), iata, now)
    return airport?.scheduled_service && news?.is_grave && news.from === null ? [{ airport, news }] : []
  })
  const rank = ({ airport }: AirportInStorm) => AirportSize.options.indexOf(airport.size)
  return inStorms.sort((a, b) => rank(a) - rank(b) || (a.airport.iata < b.airport.iata ? -1 : 1))
}

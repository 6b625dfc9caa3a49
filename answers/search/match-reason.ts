import { fold } from '../../config/airports/search/fold.ts'
import { withArticle } from '../../config/reference/countries.ts'
import type { AirportHit } from './hits.ts'

type Match = Pick<AirportHit, 'matched_by' | 'matched' | 'corrected'> & {
  missing?: string | null
  airport: Pick<AirportHit['airport'], 'iata' | 'name' | 'city' | 'scheduled_service'>
}

/** Why an airport matched, where its line does not show it: 'formerly "Bombay"'. Null when its name or city shows it. */
export function matchReason({ airport, matched_by, matched, corrected, missing }: Match): string | null {
  if (typeof missing === 'string') return `in ${withArticle(matched)}, where no airport of "${missing}" is known`
  if (corrected) return `if ${matched} was meant`
  if (matched_by === 'nearby city' && !airport.scheduled_service) return `near ${matched}`
  const isCode = matched === airport.iata
  return reasonOf(matched_by, matched, isCode || isShown(airport.name, matched) || isShown(airport.city ?? '', matched))
}

const isShown = (text: string, name: string) => ` ${fold(text)} `.includes(` ${fold(name)} `)

function reasonOf(matchedBy: AirportHit['matched_by'], matched: string, shown: boolean): string | null {
  switch (matchedBy) {
    case 'IATA code':
    case 'ICAO code':
    case 'FAA id':
      return `exactly the ${matchedBy} ${matched}`
    case 'metropolitan area code':
      return `one of the airports of ${matched}`
    case 'nearby city':
      return `one of the nearest airports with flights to ${matched}`
    case 'country':
    case 'region':
    case 'area':
      return shown ? null : `in or for ${matched}`
    case 'closed airport':
      return `instead of the closed "${matched}"`
    case 'former code':
      return `formerly ${matched}`
    case 'former name':
      return `formerly "${matched}"`
    case 'other city name':
      return shown ? null : `its city is also called "${matched}"`
    case 'city':
    case 'metropolitan area':
      return shown ? null : `serves ${matched}`
    default:
      return shown ? null : `also called "${matched}"`
  }
}

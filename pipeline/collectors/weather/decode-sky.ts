import type { ICloud, IWeatherCondition, IWind, Visibility } from 'metar-taf-parser'
import { flightCategory } from './flight-category.ts'
import { type Layer, lowestCeiling, type Sky } from './sky.ts'
import { finite, knots, statuteMiles } from './units.ts'

interface DecodedGroups {
  wind?: IWind
  visibility?: Visibility
  verticalVisibility?: number
  clouds: ICloud[]
  weatherConditions: IWeatherCondition[]
}

const weatherGroup = ({ intensity, descriptive, phenomenons }: IWeatherCondition) =>
  [intensity, descriptive, ...phenomenons].join('')

/** Wind and sky of a decoded text, in our units. A vertical visibility (feet) is a ceiling. */
export function skyOfGroups({ wind, visibility, verticalVisibility, clouds, weatherConditions }: DecodedGroups): Sky {
  const layers: Layer[] = clouds.map(({ quantity, height }) => ({ cover: quantity, base: height }))
  const ceiling_ft = lowestCeiling([...layers, { cover: 'OVX', base: verticalVisibility }])
  const visibility_sm = visibility ? statuteMiles(visibility.value, visibility.unit) : null
  return {
    wind_direction_deg: finite(wind?.degrees),
    wind_kt: wind ? knots(wind.speed, wind.unit) : null,
    wind_gust_kt: wind ? knots(wind.gust, wind.unit) : null,
    visibility_sm,
    ceiling_ft,
    weather: weatherConditions.map(weatherGroup).join(' ') || null,
    flight_category: flightCategory(ceiling_ft, visibility_sm),
  }
}

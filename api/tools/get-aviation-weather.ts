import { type AviationWeather, getAviationWeather } from '../../answers/questions/get-aviation-weather.ts'
import { aviationWeatherText } from '../../answers/texts/aviation-weather-text.ts'
import { defineTool } from './define.ts'

export const getAviationWeatherTool = defineTool<AviationWeather>({
  name: 'get_aviation_weather',
  title: 'METAR, TAF and flight category of an airport',
  description:
    'Weather of an airport and what it means for flights: use it when weather may delay one. METAR and TAF, decoded and raw, with flight category (VFR to LIFR), and US weather alerts. Null means not reported, never calm or clear. Not for flight planning.',
  topics: ['weather', 'metar', 'taf'],
  example: { iata: 'JFK' },
  query: getAviationWeather,
  limits: { 'taf.periods': 5, 'weather_alerts.alerts': 5 },
  text: aviationWeatherText,
})

import { expect, test } from 'vitest'
import { hazardsOf, periodText, skyText, worstPeriod, worstText } from '../../../answers/statements/weather-text.ts'
import type { TafForecast } from '../../../warehouse/publishing/read/weather.ts'
import { exampleContent } from '../../api/example-snapshot.ts'

const { KJFK } = exampleContent().tafs as { KJFK: TafForecast }
const CALM = { ...KJFK.periods[0]!, change: null, probability: null, weather: null, flight_category: 'VFR' as const }
const instant = (hour: number) => `2026-11-21T${hour}:00:00Z`

test('the worst of a forecast has its whole time, its strongest wind and its lowest cloud', () => {
  const windy = (
    from: number,
    to: number,
    wind_gust_kt: number | null,
    wind_kt: number,
    ceiling_ft: number | null,
  ) => ({
    ...CALM,
    from: instant(from),
    to: instant(to),
    wind_kt,
    wind_gust_kt,
    ceiling_ft,
  })
  const worst = worstPeriod([
    windy(10, 11, 36, 21, null),
    windy(11, 17, 42, 25, 6_000),
    windy(17, 18, null, 28, null),
    windy(18, 20, null, 5, null),
  ])!
  expect(worst).toMatchObject({ from: instant(10), to: instant(18), wind_gust_kt: 42, wind_kt: 25, ceiling_ft: 6_000 })
  expect(worstText(worst)).toContain('gusts of 42 kt')
})

test.each([
  ['TSGR', 'VFR', ['thunderstorm at or near the airport: work on the apron and departures may stop']],
  ['-TSSN', 'VFR', ['thunderstorm at or near the airport', 'snow: de-icing takes time']],
  ['SHPL', 'VFR', ['ice pellets: planes are de-iced and flights may stop']],
  ['FZRAPL', 'VFR', ['freezing rain: planes are de-iced and flights may stop']],
  ['SG', 'VFR', ['snow: de-icing takes time']],
  ['GS', 'VFR', []],
  ['VA', 'VFR', ['volcanic ash: flights may stop']],
  ['+FC', 'VFR', ['tornado, waterspout or funnel cloud at or near the airport: flights may stop']],
  ['SS', 'LIFR', ['very poor visibility in sand, dust or smoke: expect delays']],
  ['FU', 'LIFR', ['very poor visibility in sand, dust or smoke: expect delays']],
  ['FG', 'LIFR', ['very low cloud or fog: expect delays']],
] as const)('what %s in %s does to flights', (weather, flight_category, hazards) => {
  const found = hazardsOf({ ...CALM, weather, flight_category })
  expect(found).toEqual(hazards.map((hazard) => expect.stringContaining(hazard)))
})

test('a funnel cloud that reaches the ground is named as one', () => {
  expect(skyText({ ...CALM, weather: '+FC' })).toMatch(/^Tornado or waterspout, wind from/)
  expect(skyText({ ...CALM, weather: 'VCFC' })).toMatch(/^Funnel cloud nearby, /)
})

test.each([
  [{ visibility_sm: 6.21, visibility_bound: 'at_least' }, 'Visibility 6 mi (10 km) or more'],
  [{ visibility_sm: 1.86 }, 'Visibility 1.86 mi (3 km)'],
  [{ visibility_sm: 0.03 }, 'Visibility 0.03 mi (50 m)'],
  [{ ceiling_ft: 0 }, 'cloud down to the ground'],
] as const)('%j is %s', (reported, text) => {
  expect(skyText({ ...CALM, visibility_bound: null, ...reported })).toContain(text)
})

test('a cancelled forecast forecasts nothing', () => {
  const nothing = { wind_kt: null, visibility_sm: null, ceiling_ft: null, ceiling_known: false, flight_category: null }
  expect(periodText({ ...CALM, ...nothing }, 'JFK', CALM.from)).toMatch(/: Nothing is stated\.$/)
})

test('weather that comes and goes is not said to last', () => {
  const storm = { ...CALM, weather: 'TSRA' }
  expect(worstText({ ...storm, change: 'TEMPO' })).toMatch(/^at times thunderstorm/)
  expect(worstText({ ...storm, change: 'FM' })).toMatch(/^thunderstorm/)
})

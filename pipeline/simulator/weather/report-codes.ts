import type { Sky } from './sky.ts'

const two = (value: number) => String(value).padStart(2, '0')
const three = (value: number) => String(value).padStart(3, '0')

/** `200954Z`. */
export function dayTime(ms: number): string {
  const at = new Date(ms)
  return `${two(at.getUTCDate())}${two(at.getUTCHours())}${two(at.getUTCMinutes())}Z`
}

/** `21009G18KT`. */
export function windCode(sky: Sky): string {
  if (sky.wind_kt === 0) return '00000KT'
  return `${three(sky.wind_direction_deg)}${two(sky.wind_kt)}${sky.wind_gust_kt === null ? '' : `G${two(sky.wind_gust_kt)}`}KT`
}

const FRACTIONS: Record<string, string> = { '0.5': '1/2', '1.5': '1 1/2' }

/** `10SM`, `1 1/2SM` in America, metres elsewhere. `over` is the code for ten miles or more. */
export function visibilityCode(miles: number, metric: boolean, over: string): string {
  if (metric) return miles >= 7 ? '9999' : String(Math.round((miles * 1_609) / 100) * 100).padStart(4, '0')
  return miles >= 10 ? over : `${FRACTIONS[miles] ?? miles}SM`
}

/** `FEW035 BKN210`. */
export function cloudCode(sky: Sky): string {
  return sky.clouds.map(({ cover, base }) => `${cover}${three(base / 100)}`).join(' ')
}

const signed = (value: number) => (value < 0 ? `M${two(-value)}` : two(value))

/** `20/18`, `M02/M03`. */
export function temperatureCode(sky: Sky): string {
  return `${signed(sky.temperature_c)}/${signed(sky.dewpoint_c)}`
}

/** `A2987` in America, `Q1013` elsewhere. */
export function pressureCode(sky: Sky, metric: boolean): string {
  return metric ? `Q${Math.floor(sky.pressure_hpa)}` : `A${Math.round(sky.pressure_hpa * 2.953)}`
}

/** Whether the reports of a country use metres and hectopascals instead of statute miles and inches of mercury. */
export function isMetric(country: string): boolean {
  return !['US', 'CA', 'PR', 'VI', 'GU', 'AS', 'MP'].includes(country)
}

import { countText } from '../../config/count-text.ts'
import type { DirectionForecast, EesForecast, ForecastHour } from '../questions/get-ees-forecast.ts'
import { clockOf } from '../statements/local-time.ts'

/** The forecast of border control as a text. */

/** The shortest and the longest wait of a direction as text. */
function directionText(
  name: string,
  { basis, model, confidence, backtest, unavailable_reason }: DirectionForecast,
  hours: { local_time: string; hour: ForecastHour }[],
): string {
  const known = hours.flatMap(({ local_time, hour }) => (hour ? [{ clock: clockOf(local_time), ...hour }] : []))
  const sorted = known.toSorted((a, b) => a.wait_minutes - b.wait_minutes)
  const shortest = sorted[0]
  const longest = sorted.at(-1)
  if (model === null || !shortest || !longest) return `${name}: not forecast. ${unavailable_reason}`
  if (basis === 'typical') {
    const { wait_minutes, low, high } = longest
    const error = backtest?.mae_minutes?.toFixed(0) ?? 'an unknown number of'
    return `${name}: not measured here; typical is about ${wait_minutes} min, mostly ${low} to ${high}, at any hour (off by ${error} min on average at US airports, unknown here).`
  }
  const hourText = ({ clock, wait_minutes, low, high }: typeof shortest) =>
    `${clock} (${wait_minutes} min, ${low} to ${high})`
  const range =
    shortest.wait_minutes === longest.wait_minutes
      ? `about ${longest.wait_minutes} min at every hour known`
      : `longest at ${hourText(longest)}, shortest at ${hourText(shortest)}`
  return `${name}: ${range}; predicted, ${errorText({ confidence, backtest })}.`
}

/** How wrong the forecast was on hours that it had not seen. */
function errorText({ confidence, backtest }: Pick<DirectionForecast, 'confidence' | 'backtest'>): string {
  if (confidence !== null) return `within 5 min in ${Math.floor(confidence * 100)} % of hours it had not seen`
  const error = backtest?.mae_minutes ?? null
  if (backtest === null || error === null) return 'its error is not measured yet'
  return `off by ${error.toFixed(1)} min on average in the ${countText(backtest.samples, 'hour')} it was tested on`
}

export function borderForecastText({
  airport,
  name,
  member,
  entry,
  exit,
  unknown_direction,
  hours,
  note,
}: EesForecast): string {
  if (!member) return `${airport} ${name}: no border forecast. ${entry.unavailable_reason}`
  if ([entry, exit, unknown_direction].every((direction) => !direction?.model))
    return [
      `${airport} ${name}: border control is not forecast for the next 24 hours. ${entry.unavailable_reason}`,
      'Allow extra time of your own; get_ees_wait_times has the waits now and those that pages named in the past.',
      note,
    ].join('\n')
  const hoursOf = (direction: 'entry' | 'exit' | 'unknown_direction') =>
    hours.map(({ local_time, [direction]: hour }) => ({ local_time, hour }))
  const lines = [
    `${airport} ${name}, border control in the next 24 hours, local time:`,
    directionText('Entry', entry, hoursOf('entry')),
    directionText('Exit', exit, hoursOf('exit')),
  ]
  if (unknown_direction) lines.push(directionText('Entry or exit', unknown_direction, hoursOf('unknown_direction')))
  const isTypical = entry.basis === 'typical' || exit.basis === 'typical'
  if (isTypical) lines.push('Allow extra time of your own: the Entry/Exit System can take far longer on busy days.')
  return [...lines, note].join('\n')
}

import { sentenceOf } from '../../data/tools/text.ts'
import { Table } from '../pages/elements.tsx'
import type { BandAnswer, RecordAnswer } from './answers.ts'
import { clockOn } from './words.ts'

/** The hours of the band as a table, for who does not see the picture. */
export function HoursTable({ band, timezone, now }: { band: BandAnswer; timezone: string; now: number }) {
  const minutes = (value: number | null) => (value === null ? '–' : String(value))
  return (
    <details>
      <summary>The hours as a table</summary>
      <Table
        label="Hours"
        narrow="fit"
        columns={[
          'Local hour',
          { number: 'Observed' },
          { number: 'Expected' },
          { number: '8 of 10 from' },
          { number: 'to' },
        ]}
      >
        {[...band.past, ...band.ahead.map((hour) => Object.assign({ observed_minutes: null }, hour))].map((hour) => (
          <tr>
            <th scope="row">{clockOn(hour.time, timezone, now)}</th>
            <td class="number">{minutes(hour.observed_minutes)}</td>
            <td class="number">
              {'status' in hour && hour.status === 'closed' ? 'closed' : minutes(hour.wait_minutes)}
            </td>
            <td class="number">{minutes(hour.low)}</td>
            <td class="number">{minutes(hour.high)}</td>
          </tr>
        ))}
      </Table>
    </details>
  )
}

/** How good the forecasts were, in one line. */
export function RecordText({ record: { accuracy } }: { record: RecordAnswer }) {
  const live = accuracy.security.horizons.find((one) => one.live !== null)?.live ?? null
  return (
    <>
      {live && (
        <p>
          One hour ahead our forecasts were off by {live.mae_minutes.toFixed(1)} min here in the last {accuracy.days}{' '}
          days; {Math.round(live.coverage_80 * 100)} % of the waits fell inside the range.{' '}
          <a href="/accuracy">The record of all airports</a>
        </p>
      )}
      {accuracy.drift.state !== 'steady' && (
        <p class="warning">{sentenceOf(accuracy.drift.reason ?? 'forecasts have been worse than usual lately')}</p>
      )}
    </>
  )
}

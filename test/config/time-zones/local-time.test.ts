import { expect, test } from 'vitest'
import { localClock, weekHourAt, weekHourOf } from '../../../config/time-zones/local-time.ts'
import { testValues } from '../../values.ts'

testValues('config/time-zones/local-time.json', {
  localClock: (timezone: string, instants: string[]) => {
    const { hour, weekday, day } = localClock(timezone, instants.map(Date.parse))
    return { hour: [...hour], weekday: [...weekday], days: Array.from(day, (date) => date - day[0]!) }
  },
})

test('weekHourOf is the hour of the week that localClock shows, before 1970 and across clock changes too', () => {
  const from = Date.parse('1969-12-20T00:00:00Z')
  const instants = Array.from({ length: 5_000 }, (_, k) => from + k * 3_600_000 * 101)
  for (const timezone of ['America/New_York', 'Asia/Kolkata', 'Pacific/Chatham', 'UTC']) {
    const clock = localClock(timezone, instants)
    expect(instants.map((instant) => weekHourOf(timezone, instant))).toEqual(
      instants.map((_, k) => weekHourAt(clock, k)),
    )
  }
})

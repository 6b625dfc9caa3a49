import { expect, test } from 'vitest'
import { unknownTerminalText } from '../../../answers/questions/airport-terminals.ts'
import { departureWords } from '../../../answers/texts/departure-text.ts'
import { isoUtc, MINUTE_MS } from '../../../config/vocabulary.ts'
import { NOW, snapshotAt } from '../../api/example-snapshot.ts'
import { measured } from '../../api/fake-snapshot.ts'
import { testValues } from '../../values.ts'
import { assumed, leaveBy, minutesOf, stepsOf, typical } from './leave-by-of.ts'

testValues('answers/departure/at-the-airport.json', {
  hasExitControl: (iata: string, destination: string | null) => {
    const plan = leaveBy({ iata, departure: '2026-11-22T15:00', ...(destination && { destination }) })
    if (iata === 'MLN') expect(assumed(plan, 'ees')).toBeUndefined()
    return stepsOf(plan).includes('exit_passport_control')
  },
  isInternational: (iata: string) => {
    const snapshot = snapshotAt(NOW, { forecasts: [typical(iata)] })
    return assumed(leaveBy({ iata, departure: '2026-11-23T10:05' }, 'pro', snapshot), 'international')?.value
  },
  leaveBy: (input: object) => leaveBy(input),
  unknownTerminalText: (iata: string, terminal: string) => unknownTerminalText(iata, terminal, snapshotAt(NOW)),
})

test('closes bag drop by the airline’s page, at some airports earlier; by the general rule without an airline', () => {
  const closing = (input: object, name = 'bag_drop_closes') =>
    leaveBy({ bags: true, ...input }).deadlines.find(({ deadline }) => deadline === name)
  expect(closing({ airline: 'AA' })).toMatchObject({ minutes_before_departure: 45, basis: 'published' })
  // Known from others than the airline.
  expect(closing({ airline: 'UA' })).toMatchObject({
    minutes_before_departure: 45,
    basis: 'assumed',
    note: expect.stringContaining('not from a page of United Airlines itself'),
  })
  expect(closing({ airline: 'UA', international: true })).toMatchObject({ minutes_before_departure: 60 })
  expect(closing({ iata: 'DUB', airline: 'AA', destination: 'JFK' })).toMatchObject({ minutes_before_departure: 75 })
  expect(closing({ airline: 'U2' }, 'boarding_closes')).toMatchObject({ minutes_before_departure: 30 })
  expect(closing({})).toMatchObject({ minutes_before_departure: 45, basis: 'assumed' })
  expect(closing({ airline: 'ZZ' })?.note).toContain('no page of ZZ is known')
  expect(closing({ iata: 'LHR', airline: 'BA', destination: 'CDG' })).toMatchObject({ minutes_before_departure: 45 })
  expect(closing({ iata: 'LHR', airline: 'BA', destination: 'JFK' })).toMatchObject({ minutes_before_departure: 60 })
  expect(closing({ iata: 'LHR', destination: 'JFK' }, 'security_entry_closes')).toMatchObject({
    minutes_before_departure: 35,
  })
})

test('checks passports on the way out of Schengen, with EES for those it registers, and not within', () => {
  const out = leaveBy({ iata: 'LIS', departure: '2026-11-22T15:00', destination: 'LHR' })
  expect(stepsOf(out)).toEqual(['security', 'exit_passport_control', 'walk_to_gate'])
  expect(assumed(out, 'ees')).toMatchObject({ value: true, source: expect.stringContaining('ees=false') })
  const european = leaveBy({ iata: 'LIS', departure: '2026-11-22T15:00', destination: 'LHR', ees: false })
  expect(minutesOf(european.required_at)).toBeGreaterThan(minutesOf(out.required_at) + 30)
  expect(out.what_if[0]).toMatchObject({ change: 'eu_passport', leave_at: european.recommended?.leave_at })
  const within = leaveBy({ iata: 'LIS', departure: '2026-11-22T15:00', destination: 'CDG' })
  expect(stepsOf(within)).toEqual(['security', 'walk_to_gate'])
  expect(stepsOf(leaveBy({ destination: 'LHR' }))).toEqual(['security', 'walk_to_gate'])
})

test('clears US immigration before flights to the US where that is done, and asks for it where it may be', () => {
  const trip = { iata: 'YYZ', departure: '2026-11-22T11:00' }
  expect(stepsOf(leaveBy({ ...trip, destination: 'JFK' }))).toContain('us_preclearance')
  expect(stepsOf(leaveBy({ ...trip, destination: 'LHR' }))).not.toContain('us_preclearance')
  const unknown = leaveBy({ ...trip, international: true })
  expect(assumed(unknown, 'preclearance')).toMatchObject({ value: false })
  expect(unknown.what_if.at(0)?.change).toBe('flight_to_the_us')
  expect(unknown.what_if[0]!.minutes_later).toBeLessThan(-20)
})

test('territories of the US are domestic', () => {
  expect(assumed(leaveBy({ destination: 'SJU' }), 'international')).toMatchObject({ value: false })
})

test('an assumption that changes the time by more than ten minutes stands in the second sentence, with the other time', () => {
  const over = snapshotAt(NOW, { forecasts: [typical('CDG'), typical('DXB')] })
  const planOf = (input: object) => leaveBy({ departure: '2026-11-23T12:05', ...input }, 'pro', over)
  const abroad = planOf({ iata: 'CDG', bags: true })
  const domestic = planOf({ iata: 'CDG', bags: true, international: false })
  const clock = domestic.recommended!.leave_at_local.slice(11, 16)
  const words = departureWords(abroad)
  expect(words.lead).toMatch(/^Be at CDG by \d\d:\d\d on Mon 23 Nov: 9\d % likely to make your flight\.$/)
  expect(words.risk[0]).toMatch(/^That is for a flight abroad and with a passport from outside the EU;/)
  expect(words.risk[0]).toContain(`for a domestic one be there by ${clock}`)
  const answer = planOf({ iata: 'CDG', destination: 'JFK', ees: false })
  const outside = planOf({ iata: 'CDG', destination: 'JFK', ees: true })
  expect(departureWords(answer).risk[0]).toBe(
    `That is with an EU or Schengen passport, or as a resident there; with any other be there by ${outside.recommended!.leave_at_local.slice(11, 16)}.`,
  )
  expect(departureWords(outside).risk[0]).not.toContain('That is')
})

test('says that a flight abroad without a bag is planned as checked in online, unless the caller says where', () => {
  const over = snapshotAt(NOW, { forecasts: [typical('IST')] })
  const planOf = (input: object) =>
    leaveBy({ iata: 'IST', departure: '2026-11-23T12:05', international: true, ...input }, 'pro', over)
  expect(assumed(planOf({}), 'online_check_in')).toMatchObject({ value: true })
  for (const input of [{ check_in: 'online' }, { check_in: 'desk' }, { bags: true }, { international: false }])
    expect(assumed(planOf(input), 'online_check_in'), JSON.stringify(input)).toBeUndefined()
})

test('refuses US preclearance where there is none, and on the way to another country', () => {
  const refused = (input: object) => () => leaveBy({ departure: '2026-11-22T15:00', preclearance: true, ...input })
  expect(refused({ iata: 'LHR', destination: 'JFK' })).toThrow(/preclearance: there is none at LHR: .*\bDUB\b/)
  expect(refused({ iata: 'DUB', destination: 'CDG' })).toThrow(/for flights to the US alone/)
  expect(refused({ iata: 'YVR', international: false })).toThrow(/leave out international=false/)
  expect(stepsOf(refused({ iata: 'DUB', destination: 'JFK' })())).toContain('us_preclearance')
  // Without a destination it is a flight to the US, and nothing is assumed of the border.
  const toUs = refused({ iata: 'YVR' })()
  expect(assumed(toUs, 'international')).toMatchObject({ value: true, source: expect.not.stringContaining('assumed') })
})

test('the country’s own exit control comes before US preclearance', () => {
  const over = snapshotAt(NOW, { forecasts: ['AUH', 'STT', 'GUM'].map(typical) })
  const stepsFor = (input: object) => stepsOf(leaveBy({ departure: '2026-11-23T12:05', ...input }, 'pro', over))
  expect(stepsFor({ iata: 'AUH', destination: 'JFK' })).toEqual([
    'security',
    'exit_passport_control',
    'us_preclearance',
    'walk_to_gate',
  ])
  // From the US Virgin Islands and Guam everybody is inspected before security, but not between them.
  expect(stepsFor({ iata: 'STT', destination: 'MIA', bags: true })).toEqual([
    'bag_drop',
    'us_inspection',
    'security',
    'walk_to_gate',
  ])
  expect(stepsFor({ iata: 'GUM', destination: 'HNL' })).toEqual(['us_inspection', 'security', 'walk_to_gate'])
  expect(stepsFor({ iata: 'STT', destination: 'STX' })).toEqual(['security', 'walk_to_gate'])
  expect(stepsFor({ iata: 'SJU', destination: 'MIA' })).toEqual(['security', 'walk_to_gate'])
})

test('a way without its bad day is taken as certain, and says what a bad day would do', () => {
  const sure = leaveBy({ travel_minutes: 300 })
  const bad = leaveBy({ travel_minutes: 300, travel_p90_minutes: 390 })
  const change = sure.what_if.find((row) => row.change === 'bad_day_on_the_road')
  expect(change).toMatchObject({ parameter: 'travel_p90_minutes=390', leave_at: bad.recommended?.leave_at })
  expect(departureWords(sure).changes.filter((line) => line.includes('taken as certain'))).toHaveLength(1)
  expect(bad.what_if.map((row) => row.change)).not.toContain('bad_day_on_the_road')
  expect(leaveBy({ travel_minutes: 10 }).what_if.map((row) => row.change)).not.toContain('bad_day_on_the_road')
})

test('a terminal that is not the airline’s is said', () => {
  const sourceFor = (terminal: string) => assumed(leaveBy({ airline: 'DL', terminal }), 'terminal')?.source
  expect(sourceFor('8')).toContain('DL is not known to use terminal 8 at JFK, but Terminal 4')
  expect(sourceFor('4') ?? '').not.toContain('not known to use')
})

test('an international flight without an airline says that check-in closes an hour before', () => {
  const closing = (input: object) =>
    leaveBy({ iata: 'LIS', departure: '2026-11-22T15:00', ...input }).deadlines.find(
      ({ deadline }) => deadline === 'check_in_closes',
    )
  expect(closing({ destination: 'LHR' })).toMatchObject({ minutes_before_departure: 60, basis: 'assumed' })
  expect(closing({ destination: 'LHR', airline: 'U2' })).toBeUndefined()
  expect(closing({ international: false })).toBeUndefined()
  const lastLine = (input: object) =>
    departureWords(leaveBy({ iata: 'LIS', destination: 'LHR', departure: '2026-11-22T15:00', ...input })).steps.at(-1)
  expect(lastLine({})).toMatch(/^Online check-in closes 14:00/)
  expect(lastLine({ check_in: 'desk' })).toMatch(/^Check-in closes 14:00/)
})

test('a terminal that no dated page can rule out is not refused for the one that a feed measures', () => {
  const measuredAtT2 = { ...measured(NOW, 9), terminals: [{ ...measured(NOW, 9).terminals[0]!, terminal: 'T2' }] }
  const snapshot = snapshotAt(NOW, { queues: { 'DEL security': measuredAtT2 } })
  expect(unknownTerminalText('DEL', '3', snapshot)).toBeNull()
})

test('what was assumed otherwise is past only where its own time has passed', () => {
  const risk = (minutes: number) => {
    const answer = leaveBy({ iata: 'LIS', departure: isoUtc(NOW + minutes * MINUTE_MS) })
    return [answer.outcome, departureWords(answer).risk.join(' ')]
  }
  expect(risk(70)).toEqual([
    'late',
    expect.stringMatching(/; for a domestic one be there by 14:35 and .* you would have had to be there by 14:19\./),
  ])
  expect(risk(50)).toEqual([
    'late',
    expect.stringMatching(/; for a domestic one you would have had to be there by \d\d:/),
  ])
  expect(risk(600)).toEqual(['recommended', expect.stringMatching(/; for a domestic one be there by \d\d:/)])
})

test('no change of a plan is advised whose time has passed', () => {
  const textAt = (minutes: number) => {
    const departure = isoUtc(NOW + minutes * MINUTE_MS)
    const answer = leaveBy({ iata: 'YYZ', departure, international: true, travel_minutes: 60 })
    const { risk, changes } = departureWords(answer)
    return [answer.outcome, [...risk, ...changes].join(' ')]
  }
  expect(textAt(126)).toEqual([
    'recommended',
    expect.stringMatching(
      /; for one to the US you would have had to leave by .* in ten: you would have had to leave \d/,
    ),
  ])
  expect(textAt(600)).toEqual(['recommended', expect.stringMatching(/; for one to the US leave by .* ten: leave \d/)])
})

test.each([
  ['2027-11-07T02:30', /^The clocks go back by 60 min before departure: \d\d:\d\d is before that\.$/],
  ['2027-03-14T03:40', /^The clocks go forward by 60 min before departure: \d\d:\d\d is before that\.$/],
  ['2027-03-13T03:40', /^The risk/],
])('a departure at %s: the first thing to know is whether the clocks change on the way', (departure, first) => {
  const { risk } = departureWords(leaveBy({ departure, travel_minutes: 60 }))
  expect(risk.find((line) => !line.startsWith('Whether security is open'))).toMatch(first)
})

test('a lane is measured against the standard one; PreCheck does not exist abroad', () => {
  const standard = leaveBy({})
  const precheck = leaveBy({ lane: 'precheck' })
  expect(minutesOf(precheck.required_at)).toBeGreaterThan(minutesOf(standard.required_at))
  expect(precheck.steps[0]!.note).toContain('share of the standard wait at JFK')
  expect(assumed(leaveBy({ iata: 'LHR', lane: 'precheck' }), 'lane')).toMatchObject({ value: 'standard' })
})

test('what would change is said of the way to the airport, or of being there', () => {
  const changes = (input: object) => departureWords(leaveBy({ bags: true, ...input })).changes.join(' ')
  expect(changes({ travel_minutes: 45 })).toMatch(/With carry-on only: leave \d+ min later\./)
  expect(changes({})).toMatch(/With carry-on only: be there \d+ min later\./)
})

test('on the night on which the clocks go back a later time that reads as an earlier one is of the changed clock', () => {
  const words = (departure: string) => departureWords(leaveBy({ departure })).risk.join(' ')
  expect(words('2027-11-07T01:30-05:00')).toMatch(
    /Whoever arrives after 01:\d\d on the changed clock more likely misses it/,
  )
  const after = Array.from({ length: 24 }, (_, index) =>
    words(isoUtc(Date.parse('2027-11-07T06:10Z') + 5 * index * MINUTE_MS)),
  )
  expect(after.join(' ')).toMatch(/Be there by 01:5\d on the unchanged clock to be nearly certain/)
  expect(words('2027-11-08T01:30-05:00')).toMatch(/Whoever arrives after \d\d:\d\d more likely misses it/)
})

test('no time that has passed is said to make it nearly certain', () => {
  const ahead = Array.from({ length: 30 }, (_, index) => isoUtc(NOW + (40 + 5 * index) * MINUTE_MS))
  const plans = ahead.map((departure) => leaveBy({ departure })).filter(({ outcome }) => outcome === 'recommended')
  const isPast = ({ leave_times, timestamp }: (typeof plans)[number]) =>
    leave_times.p99 !== null && leave_times.p99.leave_at <= timestamp
  const saysSure = plans.map((plan) => departureWords(plan).risk.join(' ').includes('to be nearly certain'))
  expect(plans.some(isPast) && saysSure.includes(true)).toBe(true)
  expect(plans.filter((plan, index) => isPast(plan) && saysSure[index])).toEqual([])
})

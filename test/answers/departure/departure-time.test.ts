import { expect, it } from 'vitest'
import { departureTime } from '../../../answers/departure/departure-time.ts'
import { isoUtc } from '../../../config/vocabulary.ts'

const NOW = Date.parse('2026-10-20T12:00:00Z')
const departure = (text: string, timezone = 'America/New_York') => {
  const { departure_ms, note } = departureTime(text, { timezone, country: 'US', region: 'US-NY' }, NOW)
  return [isoUtc(departure_ms), note]
}

it.each([
  ['2026-11-25T07:30', '2026-11-25T12:30:00Z'],
  ['2026-11-25 07:30', '2026-11-25T12:30:00Z'],
  ['Thanksgiving 10am', '2026-11-26T15:00:00Z'],
  ['7:30 on Veterans Day', '2026-11-11T12:30:00Z'],
  ['Memorial Day 6am', '2027-05-31T10:00:00Z'],
  ['Labor Day 6am', '2027-09-06T10:00:00Z'],
  ['2026-11-25T07:30:00', '2026-11-25T12:30:00Z'],
  ['2026-11-25T12:30Z', '2026-11-25T12:30:00Z'],
  ['2026-11-25T12:30:54.250Z', '2026-11-25T12:30:00Z'],
  ['2026-11-25T13:30+01:00', '2026-11-25T12:30:00Z'],
  ['2026-11-25T13:30 01:00', '2026-11-25T12:30:00Z'],
  ['2026-11-25T04:30-0800', '2026-11-25T12:30:00Z'],
  ['2026-11-25T24:00', '2026-11-26T05:00:00Z'],
  ['2026-11-30 24:00:00', '2026-12-01T05:00:00Z'],
  ['2026-11-25T24:00+01:00', '2026-11-25T23:00:00Z'],
  ['2026-11-25 02:00 PM', '2026-11-25T19:00:00Z'],
  ['2026-11-25T7:30am', '2026-11-25T12:30:00Z'],
  ['2026-11-25 12:15 a.m.', '2026-11-25T05:15:00Z'],
  ['2026-11-25 12 pm', '2026-11-25T17:00:00Z'],
  ['2026-11-25T7:30', '2026-11-25T12:30:00Z'],
  ['2026-11-25 noon', '2026-11-25T17:00:00Z'],
  ['tomorrow 6am', '2026-10-21T10:00:00Z'],
  ['Today at 18:05', '2026-10-20T22:05:00Z'],
  ['7:15 pm, tomorrow', '2026-10-21T23:15:00Z'],
  ['2026-11-25 0730', '2026-11-25T12:30:00Z'],
  ['2026-11-25T0730+0100', '2026-11-25T06:30:00Z'],
  ['2026-11-25 14.30', '2026-11-25T19:30:00Z'],
  ['2026-11-25 07h30', '2026-11-25T12:30:00Z'],
  ['noon tomorrow', '2026-10-21T16:00:00Z'],
  // 2026-10-20 is a Tuesday.
  ['Thursday 06:10', '2026-10-22T10:10:00Z'],
  ['tue at 6 pm', '2026-10-20T22:00:00Z'],
  ['7:15 pm on Monday', '2026-10-26T23:15:00Z'],
  ['Dec 3 7:15am', '2026-12-03T12:15:00Z'],
  ['3 December 2026 at 14:30', '2026-12-03T19:30:00Z'],
  ['Thu, 3rd Dec, 14.30', '2026-12-03T19:30:00Z'],
  ['3.12.2026 18:40', '2026-12-03T23:40:00Z'],
  ['Christmas Eve 11:00', '2026-12-24T16:00:00Z'],
  ['Boxing Day 10:00', '2026-12-26T15:00:00Z'],
  ['New Year’s Day at 6am', '2027-01-01T11:00:00Z'],
  ['January 5, 9am', '2027-01-05T14:00:00Z'],
  ['2026/12/03 18:40', '2026-12-03T23:40:00Z'],
  ['tonight 9pm', '2026-10-21T01:00:00Z'],
  ['tonight 11:30', '2026-10-21T03:30:00Z'],
  ['Friday night 9pm', '2026-10-24T01:00:00Z'],
  ['tomorrow morning 7:30', '2026-10-21T11:30:00Z'],
  ['tomorrow evening 7:30', '2026-10-21T23:30:00Z'],
  ['Dec 24 at 5:30 in the morning', '2026-12-24T10:30:00Z'],
  ['5:30 in the afternoon tomorrow', '2026-10-21T21:30:00Z'],
  ['this evening 8:15', '2026-10-21T00:15:00Z'],
  ['tomorrow morning 10:00 am', '2026-10-21T14:00:00Z'],
  ['24.12. 10:00', '2026-12-24T15:00:00Z'],
  ['tonight at 8.15', '2026-10-21T00:15:00Z'],
  ['tonight 22:40', '2026-10-21T02:40:00Z'],
  ['24/12/2026 10:00', '2026-12-24T15:00:00Z'],
  ['12/24/2026 2pm', '2026-12-24T19:00:00Z'],
  ['25/12 at 10:00', '2026-12-25T15:00:00Z'],
  ['the day after tomorrow 7am', '2026-10-22T11:00:00Z'],
  ['7am the day after tomorrow', '2026-10-22T11:00:00Z'],
  ['tmrw 7am', '2026-10-21T11:00:00Z'],
  ['this Friday 7am', '2026-10-23T11:00:00Z'],
  ['mañana 5am', '2026-10-21T09:00:00Z'],
  ['manana a las 17:30', '2026-10-21T21:30:00Z'],
  ['demain 17h', '2026-10-21T21:00:00Z'],
  ['morgen um 8 Uhr', '2026-10-21T12:00:00Z'],
  ['übermorgen 17:30 Uhr', '2026-10-22T21:30:00Z'],
  ['domani alle 18:00', '2026-10-21T22:00:00Z'],
  ['amanhã 6:15', '2026-10-21T10:15:00Z'],
  ['明日 10:00', '2026-10-21T14:00:00Z'],
  ['завтра 10:00', '2026-10-21T14:00:00Z'],
  ['Donnerstag 17:00', '2026-10-22T21:00:00Z'],
  ['jeudi à 17h30', '2026-10-22T21:30:00Z'],
  ['14 juillet 9h', '2027-07-14T13:00:00Z'],
  ['24 de diciembre a las 9:00', '2026-12-24T14:00:00Z'],
  ['3. Dezember 8 Uhr', '2026-12-03T13:00:00Z'],
  ['4th of July 9am', '2027-07-04T13:00:00Z'],
  ['Xmas 9am', '2026-12-25T14:00:00Z'],
  ['NYE 9pm', '2027-01-01T02:00:00Z'],
  ['New Years 9am', '2027-01-01T14:00:00Z'],
  ['MLK Day 9am', '2027-01-18T14:00:00Z'],
  ['in 3 days at 9am', '2026-10-23T13:00:00Z'],
  ['Dec 24 5.30 a.m.', '2026-12-24T10:30:00Z'],
  ['30-11-2026 10:00', '2026-11-30T15:00:00Z'],
  ['2026.11.30 10:00', '2026-11-30T15:00:00Z'],
  ['20261130T1000', '2026-11-30T15:00:00Z'],
  ['in 2 hours', '2026-10-20T14:00:00Z'],
  ['in 90 min', '2026-10-20T13:30:00Z'],
  ['in two hours', '2026-10-20T14:00:00Z'],
  ['in an hour', '2026-10-20T13:00:00Z'],
  ['in half an hour', '2026-10-20T12:30:00Z'],
  ['in 1h30', '2026-10-20T13:30:00Z'],
  ['in 1 hour and 30 minutes', '2026-10-20T13:30:00Z'],
  ['in 2 hrs', '2026-10-20T14:00:00Z'],
  ['3 hours from now', '2026-10-20T15:00:00Z'],
  ['in a week 9am', '2026-10-27T13:00:00Z'],
  ['two weeks from now 9am', '2026-11-03T14:00:00Z'],
  ['the 3rd 10:00', '2026-11-03T15:00:00Z'],
  ['20th 6pm', '2026-10-20T22:00:00Z'],
  ['on the 31st at 10:00', '2026-10-31T14:00:00Z'],
  ['tomorrow 8.30', '2026-10-21T12:30:00Z'],
  ['demain à 8h30', '2026-10-21T12:30:00Z'],
  ['tomorrow 1430', '2026-10-21T18:30:00Z'],
  ['tomorrow 10:00 local time', '2026-10-21T14:00:00Z'],
  ['2026-11-25 14:00 local', '2026-11-25T19:00:00Z'],
  ['2026-11-25 14:00 UTC', '2026-11-25T14:00:00Z'],
  ['2026-11-25T14:00-05:00[America/New_York]', '2026-11-25T19:00:00Z'],
])('reads %s as %s', (text, instant) => {
  expect(departure(text)).toEqual([instant, null])
})

it('takes the first of two clock times when the clocks go back, and says so; an offset chooses', () => {
  expect(departure('2026-11-01T01:30')).toEqual(['2026-11-01T05:30:00Z', expect.stringContaining('occurs twice')])
  expect(departure('2026-11-01T01:30-05:00')).toEqual(['2026-11-01T06:30:00Z', null])
  expect(departure('2026-10-25T02:15', 'Europe/Berlin')).toEqual([
    '2026-10-25T00:15:00Z',
    expect.stringContaining('occurs twice'),
  ])
})

it.each([
  ['2027-03-14T02:30', /does not exist in America\/New_York: the clocks go forward/],
  ['2026-11-31T09:00', /that exist.*; November 2026 has 30 days$/],
  ['2026-11-25T25:00', /that exist/],
  ['tomorrow', /a date and time, like 2026-10-21T17:30: it is 2026-10-20 08:00 at the airport/],
  ['2026-11-25', /a date and time/],
  ['noon', /a date and time/],
  ['midnight tomorrow', /a date and time/],
  ['tomorrow 25:00', /that exist/],
  ['yesterday 6am', /must be in the future/],
  ['tonight', /a date and time/],
  ['Dec 3', /a date and time/],
  ['Dec 3 2026', /a date and time/],
  ['next Friday 10pm', /a date and time.*either of two days: "Friday" is the first of them$/],
  ['Thanksgiving', /write the time as hours and minutes, like "Thanksgiving 17:30"$/],
  ['tomorrow 5pm EST', /leave out EST for the local time of the airport, or write an offset, like -05:00$/],
  ['tomorrow 5pm ET', /leave out ET for the local time/],
  ['2026-11-25T14:00 EST', /leave out EST for the local time of the airport, or write an offset, like -05:00$/],
  ['10:00-12:00 tomorrow', /write one time, not from when to when$/],
  ['tomorrow 10:00 - 12:00', /write one time, not from when to when$/],
  ['2026-11-25 10:00-12:00', /an offset that no place has: write one time, not from when to when$/],
  ['tomorrow around 9am', /write the time as hours and minutes, like "tomorrow 17:30"$/],
  ['domani alle 8', /write the time as hours and minutes, like "domani 17:30"$/],
  ['tomorrow 10:00 please', /like "tomorrow 17:30"$/],
  ['in 45', /at the airport$/],
  ['in some hours', /at the airport$/],
  ['31st of next month 10:00', /at the airport$/],
  ['Friday after next 10:00', /at the airport$/],
  ['Thrusday 5pm', /did you mean "Thursday 5pm"\?$/],
  ['tommorow 6am', /did you mean "tomorrow 6am"\?$/],
  ['5:30 pm on Wensday', /did you mean "Wednesday 5:30 pm"\?$/],
  ['Decmber 3 10:00', /did you mean "December 3 10:00"\?$/],
  ['Tusday 10:00', /did you mean "Tuesday 10:00"\?$/],
  ['Thanksgivng 7am', /did you mean "Thanksgiving 7am"\?$/],
  ['7am on Chrismas Day', /did you mean "christmas day 7am"\?$/],
  ['Labour Day 6am', /did you mean "Labor Day 6am"\?$/],
  ['03-12-2026 10:00', /whose day and month cannot be told apart/],
  ['Feb 29 10:00', /at the airport; February 2027 has 28 days$/],
  ['31 November 10:00', /November 2026 has 30 days$/],
  ['2027-02-29T10:00', /that exist, like 2026-10-21T17:30; February 2027 has 28 days$/],
  ['Thu 4 Dec 10pm', /4 December 2026 is a Friday$/],
  ['tommorow', /did you mean "tomorrow"\?$/],
  ['tomorrow morning', /write the time as hours and minutes, like "tomorrow 17:30"$/],
  ['tomorrow at 12', /write the time as hours and minutes/],
  ['Friday night 1:30', /may be after midnight/],
  ['17:30', /say which day: "today 17:30" or "tomorrow 17:30"$/],
  ['midnight', /midnight may be either end of a day/],
  ['tonight 1:30', /may be after midnight/],
  ['tonight 12:30am', /may be after midnight/],
  ['airport 10:00', /at the airport$/],
  ['Fri 3 Dec 10pm', /a date and time/],
  ['Dec 32 10:00', /a date and time/],
  ['12/3/2026 2pm', /whose day and month cannot be told apart: write it like 2026-10-21T17:30/],
  ['<b>', /a date and time/],
  ['2026-11-25T24:30', /that exist/],
  ['2026-11-25 14:00 PM', /an hour of more than 12 beside am or pm: write 24 hours/],
  ['2026-10-20T07:59', /must be in the future: it is 2026-10-20 08:00 at the airport, and 2026-10-20 07:59 has passed/],
  ['2025-11-25T09:00', /must be in the future/],
  ['2028-11-25T09:00', /within the next 366 days/],
])('refuses %s', (text, why) => {
  expect(() => departure(text)).toThrow(why)
  expect(() => departure(text)).toThrowError(expect.objectContaining({ code: 'INVALID_PARAMETER' }))
})

it.each([
  ['IL', 'Yom Kippur 10:00', '2027-10-11'],
  ['SG', 'Hari Raya Puasa 10:00', '2027-03-10'],
  ['HK', 'Lunar New Year 10:00', '2027-02-06'],
  ['IE', 'St Patrick’s Day 10:00', '2027-03-17'],
  ['DE', 'Christmas 10:00', '2026-12-25'],
  ['TW', 'Mid Autumn Festival 10:00', '2027-09-15'],
  ['DE', 'Weihnachten 10:00', '2026-12-25'],
  ['DE', 'Silvester 10:00', '2026-12-31'],
  ['DE', 'Ostern 10:00', '2027-03-28'],
  ['DE', 'Karfreitag 10:00', '2027-03-26'],
  ['DE', 'Rosenmontag 10:00', '2027-02-08'],
  ['FR', 'Noel 10:00', '2026-12-25'],
  // Easter Sunday is no day off in France, and its calendar lacks it.
  ['FR', 'Pâques 10:00', '2027-03-28'],
  ['ES', 'Reyes 10:00', '2027-01-06'],
  ['ES', 'Nochebuena 10:00', '2026-12-24'],
  ['NL', 'Koningsdag 10:00', '2027-04-27'],
  ['JP', '元日 10:00', '2027-01-01'],
  ['IN', 'Deepavali 10:00', '2026-11-08'],
  ['CA', 'Mother’s Day 10:00', '2027-05-09'],
  ['US', 'Black Friday 10:00', '2026-11-27'],
  ['US', 'Presidents’ Day 10:00', '2027-02-15'],
  ['US', 'the day before Thanksgiving 10:00', '2026-11-25'],
])('in %s reads the holiday of the place: %s', (country, text, day) => {
  const { departure_ms } = departureTime(text, { timezone: 'UTC', country, region: null }, NOW)
  expect(isoUtc(departure_ms).slice(0, 10)).toBe(day)
})

it.each([
  // The calendar begins with the eve.
  ['CN', 'Chinese New Year 10:00', 'that may be 5 February 2027 to 8 February 2027: write the date'],
  ['VN', 'Tet 10:00', 'that may be 4 February 2027 to 10 February 2027: write the date'],
  ['AE', 'National Day 10:00', 'that may be 2 December 2026 or 3 December 2026: write the date'],
  ['KR', 'Chuseok 10:00', 'that may be 14 September 2027 to 16 September 2027: write the date'],
  ['AE', 'Eid al Adha 10:00', 'that may be 16 May 2027 to 18 May 2027: write the date'],
  ['TH', 'Songkran 10:00', 'that may be 13 April 2027 to 15 April 2027: write the date'],
  ['AZ', 'Novruz 10:00', 'that may be 20 March 2027 to 24 March 2027: write the date'],
  ['KR', '추석 10:00', 'that may be 14 September 2027 to 16 September 2027: write the date'],
  ['TR', 'Ramazan Bayrami 10:00', 'that may be 9 March 2027 to 11 March 2027: write the date'],
  ['ID', 'Idul Fitri 10:00', 'that may be 9 March 2027 or 10 March 2027: write the date'],
  ['BR', 'Carnaval 10:00', 'that may be 6 February 2027 to 9 February 2027: write the date'],
  // Spans around a holiday that the calendar has.
  ['AE', 'Ramadan 10:00', 'that may be 8 February 2027 to 8 March 2027: write the date'],
  ['ES', 'Semana Santa 10:00', 'that may be 21 March 2027 to 28 March 2027: write the date'],
  ['DE', 'Karneval 10:00', 'that may be 4 February 2027 to 9 February 2027: write the date'],
  ['JP', 'Golden Week 10:00', 'that may be 29 April 2027 to 5 May 2027: write the date'],
  ['EG', 'Christmas 10:00', 'that may be 7 January 2027 or 25 December 2026: write the date'],
])('in %s refuses a holiday of several days: %s', (country, text, why) => {
  expect(() => departureTime(text, { timezone: 'UTC', country, region: null }, NOW)).toThrow(why)
})

it.each([
  ['TH', 'Songkan 10:00', /did you mean "Songkran 10:00"\?$/],
  // A substitute day is not read by the name of its holiday.
  ['TH', 'Coronation Dy 10:00', /did you mean "Coronation Day 10:00"\?$/],
  ['AZ', 'Chinese New Year 10:00', /at the airport$/],
  ['AE', 'Eid 10:00', /did you mean "Eid al-Fitr 10:00" or "Eid al-Adha 10:00"\?$/],
  ['GB', 'bank holiday 10:00', /did you mean "Early May bank holiday 10:00" or "Spring bank holiday 10:00"/],
  ['IT', 'Natale 10:00', /did you mean "Natale di Gesù 10:00"\?$/],
])('in %s guesses only names that it reads: %s', (country, text, why) => {
  expect(() => departureTime(text, { timezone: 'UTC', country, region: null }, NOW)).toThrow(why)
})

it('reads the date of a holiday that would be of several days', () => {
  const place = { timezone: 'Africa/Cairo', country: 'EG', region: null }
  expect(isoUtc(departureTime('Dec 25 10:00', place, NOW).departure_ms)).toBe('2026-12-25T08:00:00Z')
})

import { expect } from 'vitest'
import { closureWords, reasonWords } from '../../../config/reference/faa-words.ts'
import { closedToAirlines, notamPeriod, readClosure } from '../../../pipeline/collectors/faa/closure.ts'
import { parseNotam, splitSchedule } from '../../../pipeline/collectors/faa/notam.ts'
import { reasonCategory } from '../../../pipeline/collectors/faa/reason.ts'
import * as times from '../../../pipeline/collectors/faa/times.ts'
import { durationMinutes } from '../../../pipeline/collectors/faa/values.ts'
import { splitGlued } from '../../../pipeline/collectors/weather/glued-groups.ts'
import { isNilReport } from '../../../pipeline/collectors/weather/header.ts'
import { decodeMetar } from '../../../pipeline/collectors/weather/metar.ts'
import { flightCategory } from '../../../pipeline/collectors/weather/sky.ts'
import { decodeTaf } from '../../../pipeline/collectors/weather/taf.ts'
import { NoticeReporter } from '../../../pipeline/parsing/notices.ts'
import {
  readMinutes,
  readWaitText,
  statusOf,
  statusOfClosing,
  statusOfFlag,
  statusUnlessClosed,
} from '../../../pipeline/parsing/posted-waits.ts'
import { parseClosedHours } from '../../../warehouse/tables/closure.ts'
import { testValues } from '../../values.ts'

/** The result of a reader as text, with the codes of its notices. */
const withNotices =
  <Published extends unknown[]>(read: (...published: [...Published, NoticeReporter]) => unknown) =>
  (...published: Published) => {
    const report = new NoticeReporter('$', null, [])
    return [read(...published, report), ...report.notices.map(({ code }) => code)].join(', ')
  }

const NEAR = new Date('2027-01-10T10:30:00Z')
const iso = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString())
const metar = (body: string, header = 'METAR ZZZZ 101000Z') => decodeMetar(`${header} ${body}`, NEAR)

testValues('pipeline/collectors/values/faa.json', {
  closedToAirlines,
  durationMinutes,
  reasonCategory,
  reasonWords,
  closureWords,
  readClosure,
  parseNotam,
  notamPeriod: (text: string) => notamPeriod(readClosure(text).notam),
  periodOfNotam: (text: string) => {
    const { period } = parseNotam(text)
    return period && [iso(period.start), iso(period.end)]
  },
  splitSchedule: (text: string) => {
    const schedule = splitSchedule(text)
    const { closed_hours_utc } = schedule
    if (closed_hours_utc !== null) expect(parseClosedHours(closed_hours_utc)).not.toBeNull()
    return schedule
  },
  updateTimeMs: (text: string) => iso(times.updateTimeMs(text)),
  utcMs: (...parts: Parameters<typeof times.utcMs>) => iso(times.utcMs(...parts)),
  instantNearest: (text: string, near: string) => iso(times.instantNearest(text, Date.parse(near))),
  endNearest: (text: string, near: string) => iso(times.endNearest(text, Date.parse(near))),
  nearestInstantOfClock: (text: string, near: string) => iso(times.nearestInstantOfClock(text, Date.parse(near))),
  timeOfHhmm: times.timeOfHhmm,
  nearestInstantOfTime: (time: string, near: string) =>
    iso(times.nearestInstantOfTime(times.timeOfHhmm(time)!, Date.parse(near))),
  nearestPeriodOfTimes: (from: string, to: string, near: string) => {
    const [start, end] = [times.timeOfHhmm(from)!, times.timeOfHhmm(to)!]
    const period = times.nearestPeriodOfTimes(start, end, Date.parse(near))
    return [iso(period.start), iso(period.end)]
  },
})

testValues('pipeline/collectors/values/weather.json', {
  visibility: (form: string) => metar(`00000KT ${form} NSC 10/08 Q1010`),
  cloud: (form: string) => metar(`00000KT 9999 ${form} 10/08 Q1010`),
  wind: (form: string) => metar(`${form} 9999 NSC 10/08 Q1010`),
  temperature: (form: string) => metar(`00000KT 9999 NSC ${form} Q1010`),
  weather: (form: string) => metar(`00000KT 9999 ${form} NSC 10/08 Q1010`),
  header: (header: string) => metar('25015KT 9999 FEW030 18/12 Q1018', header),
  report: (text: string, near: string) => decodeMetar(text, new Date(near)),
  isUndated: (text: string) => (decodeMetar(text, NEAR)?.observed_at ?? null) === null,
  isNilReport,
  flightCategory: (ceiling_ft, ceiling_known, visibility_sm, visibility_bound) =>
    flightCategory({ ceiling_ft, ceiling_known }, { visibility_sm, visibility_bound }),
  splitGlued: (token: string) => splitGlued([token]).join(' '),
  tafHeader: (header: string) => decodeTaf(`${header} 25015KT P6SM BKN030`, NEAR),
  tafPeriods: (text: string, issued: string) => decodeTaf(text, new Date(issued))?.periods ?? null,
})

testValues('pipeline/collectors/values/posted-waits.json', {
  waitText: readWaitText,
  readMinutes: withNotices(readMinutes),
  statusOf: withNotices(statusOf),
  statusOfFlag: withNotices(statusOfFlag),
  statusOfClosing: withNotices(statusOfClosing),
  statusUnlessClosed: withNotices(statusUnlessClosed),
})

import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { projectFile } from '../../../config/paths.ts'
import { closureWords, reasonWords } from '../../../config/reference/faa-words.ts'
import { closedToAirlines } from '../../../pipeline/collectors/faa/closure.ts'
import { parseNotam, splitSchedule } from '../../../pipeline/collectors/faa/notam.ts'
import { reasonCategory } from '../../../pipeline/collectors/faa/reason.ts'
import { updateTimeMs } from '../../../pipeline/collectors/faa/times.ts'
import { durationMinutes } from '../../../pipeline/collectors/faa/values.ts'
import { splitGlued } from '../../../pipeline/collectors/weather/glued-groups.ts'
import { decodeMetar } from '../../../pipeline/collectors/weather/metar.ts'
import { decodeTaf } from '../../../pipeline/collectors/weather/taf.ts'
import { readWaitText, statusOf } from '../../../pipeline/parsing/posted-waits.ts'
import { parseClosedHours } from '../../../warehouse/tables/closure.ts'

const NEAR = new Date('2027-01-10T10:30:00Z')
const iso = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString())
const metar = (body: string, header = 'METAR ZZZZ 101000Z') => decodeMetar(`${header} ${body}`, NEAR)

/** The readers of single values, by the names that their cases have in `values/`. */
const READERS: Record<string, (text: string) => unknown> = {
  closedToAirlines,
  durationMinutes,
  reasonCategory,
  reasonWords,
  closureWords,
  updateTimeMs: (text) => iso(updateTimeMs(text)),
  periodOfNotam: (text) => {
    const { period } = parseNotam(text)
    return period && [iso(period.start), iso(period.end)]
  },
  splitSchedule: (text) => {
    const schedule = splitSchedule(text)
    const { closed_hours_utc } = schedule
    if (closed_hours_utc !== null) expect(parseClosedHours(closed_hours_utc)).not.toBeNull()
    return schedule
  },
  visibility: (form) => metar(`00000KT ${form} NSC 10/08 Q1010`),
  cloud: (form) => metar(`00000KT 9999 ${form} 10/08 Q1010`),
  wind: (form) => metar(`${form} 9999 NSC 10/08 Q1010`),
  temperature: (form) => metar(`00000KT 9999 NSC ${form} Q1010`),
  weather: (form) => metar(`00000KT 9999 ${form} NSC 10/08 Q1010`),
  header: (header) => metar('25015KT 9999 FEW030 18/12 Q1018', header),
  tafHeader: (header) => decodeTaf(`${header} 25015KT P6SM BKN030`, NEAR),
  waitText: readWaitText,
  statusOf,
  splitGlued: (token) => splitGlued([token]).join(' '),
}

/** Cases of each reader: a text of a feed, and what it is read as; of a report, the columns that it gives. */
type Cases = Record<string, [text: string, expected: unknown][]>

describe.each(['faa', 'weather', 'posted-waits'])('values of %s', (file) => {
  const cases: Cases = JSON.parse(readFileSync(projectFile('test/pipeline/collectors/values', `${file}.json`), 'utf8'))
  describe.each(Object.entries(cases))('%s', (reader, rows) => {
    it.each(rows)('reads %j as %j', (text, expected) => {
      const value = READERS[reader]!(text)
      const isPart = typeof expected === 'object' && expected !== null && !Array.isArray(expected)
      if (isPart) expect(value).toMatchObject(expected)
      else expect(value).toEqual(expected)
    })
  })
})

import { describe, expect, it } from 'vitest'
import { runningSimulator } from '../running-simulator.ts'

const { fetchFrom } = runningSimulator()
type Row = Record<string, unknown>

describe('the simulated Aviation Weather Center', () => {
  it('has a METAR for any airport of the directory', async () => {
    const rows = (await (
      await fetchFrom('aviationweather.gov/api/data/metar?ids=KJFK,EGLL,ZZZZ&format=json')
    ).json()) as Row[]
    expect(rows.map((row) => row.icaoId)).toEqual(['KJFK', 'EGLL'])
    const [jfk] = rows
    expect(jfk!.rawOb).toMatch(/^METAR KJFK 20\d{4}Z .* A\d{4} RMK AO2$/)
    expect(rows[1]!.rawOb).toMatch(/^METAR EGLL .* Q\d+ NOSIG$/)
    expect(['VFR', 'MVFR', 'IFR', 'LIFR']).toContain(jfk!.fltCat)
    expect(Number(jfk!.obsTime) * 1_000).toBeLessThan(Date.parse('2026-11-20T22:00:20Z'))
  })

  it('has a TAF with consecutive periods', async () => {
    const [row] = (await (await fetchFrom('aviationweather.gov/api/data/taf?ids=KBOS&format=json')).json()) as Row[]
    const periods = row!.fcsts as { timeFrom: number; timeTo: number; fcstChange: string | null }[]
    expect(periods[0]).toMatchObject({ timeFrom: row!.validTimeFrom, fcstChange: null })
    expect(periods.at(-1)!.timeTo).toBe(row!.validTimeTo)
    for (const [index, period] of periods.slice(1).entries()) {
      expect(period.timeFrom).toBe(periods[index]!.timeTo)
      expect(period.fcstChange).toBe('FM')
    }
    expect(String(row!.rawTAF).split(' FM')).toHaveLength(periods.length)
  })

  it('answers 204 for unknown stations', async () => {
    const answer = await fetchFrom('aviationweather.gov/api/data/metar?ids=ZZZZ&format=json')
    expect([answer.status, await answer.text()]).toEqual([204, ''])
  })
})

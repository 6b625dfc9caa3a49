import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type DecodedMetar, decodeMetar } from '../../../../pipeline/collectors/weather/metar.ts'
import { repetitions } from '../../../exhaustive.ts'
import { readCases } from '../../../values.ts'

const near = new Date('2027-01-10T10:30:00Z')
const decode = (body: string, header = 'METAR ZZZZ 101000Z') => decodeMetar(`${header} ${body}`, near) as DecodedMetar

/** Groups that may follow an observation (ICAO Annex 3, WMO 306 and national practice), of which none belongs to it, and observations. */
const { trends: TRENDS, bodies: BODIES } = readCases<{ trends: string[]; bodies: string[] }>(
  'pipeline/collectors/weather/report-forms.json',
)

describe('a trend or remark never changes the observation', () => {
  const trends = fc.array(fc.constantFrom(...TRENDS), { minLength: 1, maxLength: 4 })
  test('for any observation, followed by any trends', () => {
    fc.assert(
      fc.property(fc.constantFrom(...BODIES), trends, (body, added) => {
        expect(decode(`${body} ${added.join(' ')}`)).toEqual(decode(body))
      }),
      { numRuns: repetitions(400, 5_000) },
    )
  })

  test.each(TRENDS.filter((trend) => !/^(R\d|WS|W1|RE|RF|\$)/.test(trend)))(
    'also when the altimeter setting before it is missing: %s',
    (trend) => {
      const body = '25015KT 9999 FEW030 18/12 M'
      expect(decode(`${body} ${trend}`)).toEqual(decode(body))
    },
  )
})

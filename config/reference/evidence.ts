import { z } from 'zod'

/** The date a page carries: a year, a month or a day. */
const AsOf = z.string().regex(/^\d{4}(-\d{2}(-\d{2})?)?$/)

/** The source of a fact; always shown with the fact. */
export const Evidence = z.strictObject({
  source: z.string().min(1).describe('Page or file that states the fact.'),
  as_of: AsOf.nullable().describe('Date of that page; null when it has none.'),
  credit: z.string().nullable().describe('Required credit and licence; null when none is required.'),
  caution: z
    .string()
    .nullable()
    .describe(
      'Why the fact may be wrong: no date, from before 2023, contradicted; null when there is no known reason.',
    ),
})
export type Evidence = z.infer<typeof Evidence>

/** Facts from before this year are shown with a warning. */
const OLD = '2023'

/** Builds the evidence of a fact. `known` is a known contradiction or weakness of it. */
export function evidence(source: string, date: string | null, known: string | null = null): Evidence {
  const as_of = date === 'undated' ? null : date
  const cautions = [
    as_of === null && 'The page carries no date.',
    as_of !== null && as_of < OLD && `From ${as_of.slice(0, 4)}: likely to have changed.`,
    known,
  ]
  return { source, as_of, credit: creditOf(source), caution: cautions.filter(Boolean).join(' ') || null }
}

/** Collections that require a credit wherever their rows are shown. */
const CREDITS: [RegExp, string][] = [
  [/notm1ke\/lounges/, 'notm1ke/lounges, Mozilla Public License 2.0, restated'],
  [/opentraveldata/, 'OpenTravelData, CC BY 4.0'],
  [/mborsetti\/airportsdata/, 'airportsdata, MIT'],
  [/AxelUser\/carry-fit/, 'AxelUser/carry-fit, MIT'],
  [/holidays \(PyPI/, 'holidays (PyPI), MIT'],
  // Its LICENSE names CC BY-SA 3.0 for the data and ISC for the code; its package.json says CC BY 3.0 by mistake.
  [/date-holidays/, 'date-holidays, CC BY-SA 3.0'],
]
const creditOf = (source: string) => CREDITS.find(([pattern]) => pattern.test(source))?.[1] ?? null

import { z } from 'zod'

/** When a page or copy says it is from: a year, a month or a day; null where it carries no date. */
const AsOf = z.string().regex(/^\d{4}(-\d{2}(-\d{2})?)?$/)

/** Where a fact comes from: shown with it, always. */
export const Evidence = z.strictObject({
  source: z.string().min(1).describe('Page or file the fact was read from.'),
  as_of: AsOf.nullable().describe('Date of that page; null when it carries none.'),
  credit: z.string().nullable().describe('Credit and licence that go with it; null when none is asked for.'),
  caution: z
    .string()
    .nullable()
    .describe('Why to doubt it: no date, from before 2023, contradicted; null when nothing is known against it.'),
})
export type Evidence = z.infer<typeof Evidence>

/** Facts from before this year are shown with a warning. */
const OLD = '2023'

/** The evidence of a fact. `doubt` is a contradiction or weakness that is known of it. */
export function evidence(source: string, date: string | null, doubt: string | null = null): Evidence {
  const as_of = date === 'undated' ? null : date
  const cautions = [
    as_of === null && 'The page carries no date.',
    as_of !== null && as_of < OLD && `From ${as_of.slice(0, 4)}: likely to have changed.`,
    doubt,
  ]
  return { source, as_of, credit: creditOf(source), caution: cautions.filter(Boolean).join(' ') || null }
}

/** Collections that ask to be named where their rows are shown. */
const CREDITS: [RegExp, string][] = [
  [/notm1ke\/lounges/, 'notm1ke/lounges, Mozilla Public License 2.0, restated'],
  [/opentraveldata/, 'OpenTravelData, CC BY 4.0'],
  [/mborsetti\/airportsdata/, 'airportsdata, MIT'],
  [/AxelUser\/carry-fit/, 'AxelUser/carry-fit, MIT'],
  [/holidays \(PyPI/, 'holidays (PyPI), MIT'],
]
const creditOf = (source: string) => CREDITS.find(([pattern]) => pattern.test(source))?.[1] ?? null

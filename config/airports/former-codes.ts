import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { projectFile } from '../paths.ts'
import { Iata } from '../vocabulary.ts'

/** A day, or a month or year where no source knows the day. */
const ROUGH_DATE = /^\d{4}(-\d{2}(-\d{2})?)?$/

const FORMER_KINDS = ['renamed', 'replaced', 'closed'] as const

/** An IATA code that no airport has any more. */
export const FormerCode = z.strictObject({
  code: Iata,
  /** The airport that has the flights now; null if none took its place. */
  airport: Iata.nullable(),
  /** renamed: the same airport under a new code. replaced: another airport has its flights. closed: it is gone. */
  kind: z.enum(FORMER_KINDS),
  /** The first day without the code. */
  date: z.string().regex(ROUGH_DATE),
  /** The ICAO code that it had, if its present airport has another. */
  icao: z.string().length(4).nullable(),
  name: z.string(),
  source: z.string().min(10),
})
export type FormerCode = z.infer<typeof FormerCode>

/** An ICAO code that an airport had before the one that it has now. */
export const FormerIcao = z.strictObject({
  code: z.string().length(4),
  airport: Iata,
  date: z.string().regex(ROUGH_DATE).nullable(),
  source: z.string().min(10),
})
export type FormerIcao = z.infer<typeof FormerIcao>

const File = z.strictObject({ note: z.string(), codes: z.array(FormerCode), icao: z.array(FormerIcao) })

interface FormerCodes {
  codes: readonly FormerCode[]
  byCode: ReadonlyMap<string, FormerCode>
  byIcao: ReadonlyMap<string, FormerCode | FormerIcao>
}

let cached: FormerCodes | null = null

/** The codes of config/airports/former-codes.json, read once. */
export function formerCodes(): FormerCodes {
  cached ??= readFormerCodes()
  return cached
}

function readFormerCodes(): FormerCodes {
  const text = readFileSync(projectFile('config', 'airports', 'former-codes.json'), 'utf8')
  const { codes, icao } = File.parse(JSON.parse(text))
  return {
    codes,
    byCode: new Map(codes.map((former) => [former.code, former])),
    byIcao: new Map<string, FormerCode | FormerIcao>([
      ...codes.flatMap((former): [string, FormerCode][] => (former.icao ? [[former.icao, former]] : [])),
      ...icao.map((former): [string, FormerIcao] => [former.code, former]),
    ]),
  }
}

/** The present code of an airport that was renamed; any other code as it is. Rows that were collected under the former code are the airport's. */
export function presentCode(iata: string): string {
  const former = formerCodes().byCode.get(iata)
  return former?.kind === 'renamed' && former.airport !== null ? former.airport : iata
}

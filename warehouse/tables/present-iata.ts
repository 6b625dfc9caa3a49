import { formerCodes } from '../../config/airports/former-codes.ts'

/**
 * A table for a FROM clause whose rows of a renamed airport have its present code: rows that were stored as PBI are those of
 * DJT. Stored rows are never changed; history is read through this.
 */
export function withPresentIata(table: string): string {
  const renamed = formerCodes().codes.filter(({ kind, airport }) => kind === 'renamed' && airport !== null)
  const cases = renamed.map(({ code, airport }) => `WHEN '${code}' THEN '${airport}'`)
  return `(SELECT * REPLACE (CASE iata ${cases.join(' ')} ELSE iata END AS iata) FROM ${table})`
}

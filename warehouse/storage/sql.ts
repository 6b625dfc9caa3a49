/** A string literal for SQL. */
export function quoteText(value: string): string {
  return `'${value.replaceAll("'", "''")}'`
}

/** An instant (epoch milliseconds) for SQL. */
export const instantSql = (ms: number): string => `TIMESTAMPTZ ${quoteText(new Date(ms).toISOString())}`

/** An identifier for SQL. */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

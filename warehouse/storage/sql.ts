/** A string literal for SQL. */
export function quoteText(value: string): string {
  return `'${value.replaceAll("'", "''")}'`
}

/** An identifier for SQL. */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

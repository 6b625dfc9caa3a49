/** Reads CSV text with a header into objects; fields may be quoted and hold commas, quotes and line breaks. */
export function parseCsv(text: string): Record<string, string>[] {
  const [header = [], ...rows] = csvRows(text)
  return rows.map((row) => Object.fromEntries(header.map((name, k) => [name, row[k] ?? ''])))
}

function csvRows(text: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  for (const [, lead, quoted, plain = ''] of text.matchAll(/(^|,|\r?\n)(?:"((?:[^"]|"")*)"|([^",\r\n]*))/g)) {
    if (lead !== ',' && row.length > 0) {
      rows.push(row)
      row = []
    }
    row.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'))
  }
  if (row.length > 1 || row[0]) rows.push(row)
  return rows
}

/** Rows of a CSV text (RFC 4180: quotes, doubled quotes, line breaks inside quotes) as objects by header name. */
export function readCsv(text: string): Record<string, string>[] {
  const [header, ...rows] = splitCsv(text.replace(/^\uFEFF/, ''))
  if (header === undefined) return []
  return rows.map((cells) => Object.fromEntries(header.map((name, at) => [name.trim(), cells[at] ?? ''])))
}

function splitCsv(text: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  // One match is one cell with the mark that ends it: a comma, a line end, or the end of the text.
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/g)) {
    row.push(quoted === undefined ? (plain ?? '') : quoted.replaceAll('""', '"'))
    if (end === ',') continue
    if (row.length > 1 || row[0] !== '') rows.push(row)
    row = []
  }
  return rows
}

/** Identifiers, in which a dollar or an e begins nothing. */
const IDENTIFIER = String.raw`[A-Za-z_\u0080-\uffff][\w$\u0080-\uffff]*`

/**
 * The signs of the engine's scanner (that of PostgreSQL) in which a semicolon ends no statement: texts and quoted names, closed by the
 * end of the input, comments of a line, and identifiers; the beginning of a comment that may hold others; or a semicolon.
 */
const SIGN = new RegExp(
  [
    String.raw`e'(?:[^'\\]|\\.|'')*(?:'|$)`,
    IDENTIFIER,
    "'[^']*(?:'|$)",
    '"[^"]*(?:"|$)',
    String.raw`\$((?:[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*)?)\$.*?(?:\$\1\$|$)`,
    String.raw`--[^\n\r]*`,
    String.raw`\/\*`,
    ';',
  ].join('|'),
  'gis',
)

/** The end of a comment that begins at `start`, with the comments in it; the length of the text, and false, for one that is not closed. */
function endOfComment(sql: string, start: number): { end: number; isClosed: boolean } {
  let depth = 0
  for (const { 0: sign, index } of sql.slice(start).matchAll(/\/\*|\*\//g)) {
    depth += sign === '/*' ? 1 : -1
    if (depth === 0) return { end: start + index + sign.length, isClosed: true }
  }
  return { end: sql.length, isClosed: false }
}

/** The statements of a text that end with a semicolon, and what follows the last of them; empty if only comments do. */
export function splitStatements(sql: string): { statements: string[]; rest: string } {
  const statements: string[] = []
  let begin = 0
  /** What stands between `begin` and here is code, or only spaces and comments. */
  let hasCode = false
  let place = 0
  for (;;) {
    SIGN.lastIndex = place
    const match = SIGN.exec(sql)
    hasCode ||= sql.slice(place, match?.index).trim() !== ''
    if (match === null) break
    const [sign] = match
    place = match.index + sign.length
    if (sign === ';') {
      if (hasCode) statements.push(sql.slice(begin, place))
      begin = place
      hasCode = false
    } else if (sign === '/*') {
      const { end, isClosed } = endOfComment(sql, match.index)
      place = end
      hasCode ||= !isClosed
    } else hasCode ||= !sign.startsWith('--')
  }
  return { statements, rest: hasCode ? sql.slice(begin) : '' }
}

/** The spaces beyond ASCII that the engine takes for one, as text copied from a page has them; JavaScript's `\s` has others. */
const WIDE_SPACES = String.raw`\u00a0\u2000-\u200b\u202f\u205f\u2060\u3000\ufeff`

const LETTER = String.raw`[[A-Za-z_\u{80}-\u{10ffff}]--[${WIDE_SPACES}]]`

/** Identifiers, in which a dollar or an e begins nothing. */
const IDENTIFIER = String.raw`${LETTER}(?:${LETTER}|[\d$])*`

/**
 * The signs of the engine's scanner (that of PostgreSQL) in which a semicolon ends no statement: texts and quoted names, closed by the
 * end of the input, comments of a line, and identifiers; the beginning of a comment that may hold others; or a semicolon.
 */
const SIGN = new RegExp(
  [
    String.raw`[eE]'(?:[^'\\]|\\.|'')*(?:'|$)`,
    IDENTIFIER,
    "'[^']*(?:'|$)",
    '"[^"]*(?:"|$)',
    String.raw`\$((?:${LETTER}(?:${LETTER}|\d)*)?)\$.*?(?:\$\1\$|$)`,
    String.raw`--[^\n\r]*`,
    String.raw`\/\*`,
    ';',
  ].join('|'),
  'gsv',
)

const CODE = new RegExp(String.raw`[^\s${WIDE_SPACES}]`, 'v')

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
    hasCode ||= CODE.test(sql.slice(place, match?.index))
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

/** Texts, quoted names and comments (closed by the end of the input), in which a semicolon ends no statement; or a semicolon. */
const SIGN =
  /\be'(?:[^'\\]|\\.)*(?:'|$)|'[^']*(?:'|$)|"[^"]*(?:"|$)|\$(\w*)\$.*?(?:\$\1\$|$)|--[^\n]*|\/\*.*?(?:\*\/|$)|;/gis

const COMMENT_OR_END = /^(?:--|;|\/\*.*\*\/$)/s

/** Whether a text holds more than spaces, whole comments and semicolons. */
const hasCode = (text: string): boolean =>
  text.replaceAll(SIGN, (sign) => (COMMENT_OR_END.test(sign) ? ' ' : sign)).trim() !== ''

/** The statements of a text that end with a semicolon, and what follows the last of them; empty if only comments do. */
export function splitStatements(sql: string): { statements: string[]; rest: string } {
  const statements: string[] = []
  let begin = 0
  for (const { 0: sign, index } of sql.matchAll(SIGN)) {
    if (sign !== ';') continue
    statements.push(sql.slice(begin, index + 1))
    begin = index + 1
  }
  const rest = sql.slice(begin)
  return { statements: statements.filter(hasCode), rest: hasCode(rest) ? rest : '' }
}

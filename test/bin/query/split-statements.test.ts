import { expect, test } from 'vitest'
import { splitStatements } from '../../../bin/query/split-statements.ts'
import { openDuckdb, withConnection } from '../../../warehouse/storage/duckdb.ts'
import { repetitions } from '../../exhaustive.ts'

const PARTS = [
  'SELECT 1',
  "SELECT 'a'",
  ', 2',
  ' AS e',
  ' AS é',
  ' AS "a;b"',
  '\n',
  '\r\n',
  ' ',
  '\u00a0',
  '\ufeff',
  '\u200b',
  '-',
  '*',
  '/',
  '\\',
  ';',
  ';',
  ';',
  '--c\n',
  '--c',
  '-- ;\r',
  '/*',
  '*/',
  '/* ; */',
  '/* /* ; */ ; */',
  "'",
  "''",
  '"',
  '$$',
  '$a$',
  '$$ ; $$',
  '$a$ ; $$ ; $a$',
  '$A$ ; $a$ ; $A$',
  'a$$b',
  'é$a$',
  '1$$',
  '$1',
  "e'\\'",
  "e'a''\\';'",
  "E'x\\\\'",
  "u&'x'",
  "x'00'",
]

/** Texts of parts of statements, drawn by a generator of its own, so that they are the same each time. */
function* drawnTexts(count: number): Generator<string> {
  let seed = 7
  const draw = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff
    return (seed >> 8) % below
  }
  for (let number = 0; number < count; number += 1) {
    let text = draw(3) === 0 ? '' : 'SELECT 1'
    for (let left = draw(9); left >= 0; left -= 1) text += PARTS[draw(PARTS.length)]
    yield text
  }
}

test('a text is cut into the statements that the engine finds in it', async () => {
  const engine = await openDuckdb('/tmp')
  let compared = 0
  await withConnection(engine, async (connection) => {
    const countIn = (text: string) =>
      connection.extractStatements(text).then(
        ({ count }) => count,
        () => null,
      )
    for (const text of drawnTexts(repetitions(8_000, 60_000))) {
      const count = await countIn(text)
      if (count === null) continue
      compared += 1
      const { statements, rest } = splitStatements(text)
      const parts = rest === '' ? statements : [...statements, rest]
      expect(parts, JSON.stringify(text)).toHaveLength(count)
      for (const part of parts) expect(await countIn(part), JSON.stringify([text, part])).toBe(1)
    }
  })
  engine.closeSync()
  expect(compared).toBeGreaterThan(500)
}, 120_000)

test.each([
  ['SELECT 1; /* a comment that goes on', '/* a comment that goes on'],
  ["SELECT 1; SELECT 'a text; that goes on", "SELECT 'a text; that goes on"],
  ['SELECT 1; SELECT $a$ ; $$ ;', 'SELECT $a$ ; $$ ;'],
  ['SELECT 1; -- the end', ''],
  ['\ufeff-- a comment behind the mark of a file', ''],
  ['SELECT 1;\u00a0\u200b', ''],
  ['/* one /* two */ ; */ -- three', ''],
])('what follows the last semicolon of %j is %j', (text, rest) => {
  expect(splitStatements(text).rest.trim()).toBe(rest)
})

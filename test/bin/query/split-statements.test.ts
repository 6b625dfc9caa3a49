import { expect, test } from 'vitest'
import { splitStatements } from '../../../bin/query/split-statements.ts'
import { openDuckdb, withConnection } from '../../../warehouse/storage/duckdb.ts'
import { repetitions } from '../../exhaustive.ts'
import { readCases } from '../../values.ts'

const { parts: PARTS, rests: RESTS } = readCases<{ parts: string[]; rests: [text: string, rest: string][] }>(
  'bin/query/split-statements.json',
)

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

test.each(RESTS)('what follows the last semicolon of %j is %j', (text, rest) => {
  expect(splitStatements(text).rest.trim()).toBe(rest)
})

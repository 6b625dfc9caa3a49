import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { completeWord } from '../../../bin/query/prompt.ts'
import { CLI } from '../../../bin/runtime/supervised-child.ts'
import { openWarehouse } from '../../../warehouse/storage/warehouse.ts'
import { makeFolder } from '../../kept-folder.ts'

test('the tabulator completes views, columns, keywords and commands, in any case', () => {
  expect(completeWord('SELECT mean')).toEqual([['mean'], 'mean'])
  expect(completeWord('select * from SECURITY_')).toEqual([['security_hours'], 'SECURITY_'])
  expect(completeWord('.cs')).toEqual([['.csv'], '.cs'])
  expect(completeWord('SELECT ')).toEqual([[], ''])
})

/** The tests read one warehouse without rows. */
const kept = makeFolder()
let folder: string
beforeAll(async () => {
  folder = await kept.make()
  await (await openWarehouse(folder)).close()
})
afterAll(kept.remove)

async function typed(input: string) {
  const child = spawn(process.execPath, [CLI, 'query', '--data-dir', folder], { stdio: ['pipe', 'pipe', 'pipe'] })
  child.stdin.end(input)
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
  return { stdout, stderr, code }
}

/** Lines that hold several statements, and statements, texts and comments that hold several lines. */
const LINES = [
  '\ufeff.csv',
  'SELECT 1 AS a; -- the first',
  "SELECT timestamptz '2026-11-20 10:00:00Z' AS at; SELECT 'x;",
  "y' AS b;",
  'SELECT 4 AS c -- four;',
  '  , /* five; */ 5 AS d; /* the',
  ' end; */',
  '-- the end',
]

// Each statement starts a process, which takes half a second.
test.each([
  [
    'statement after statement is run, also over several lines, in the chosen form',
    'SELECT 1 AS one;\n.csv\nSELECT count(*) AS n,\n 2 AS two FROM security_hours;\nSELECT 3 AS three',
    'one\n1\n(1 row)\nn,two\n0,2\nthree\n3\n',
    null,
  ],
  [
    'each statement of a file has its result, whatever stands on its line, in its texts and in its comments',
    LINES.join('\r\n'),
    'a\n1\nat\n2026-11-20T10:00:00Z\nb\n"x;\ny"\nc,d\n4,5\n',
    null,
  ],
  [
    'the first failure ends it',
    'SELECT 1 AS one;\nSELEKT;\nSELECT 3;',
    'one\n1\n(1 row)\n',
    /^USAGE: sql: .*SELEKT.*\n$/,
  ],
  ['so does an error that a statement makes', 'SELECT error($$no$$)', '', /^USAGE: sql: .*no\n$/],
  ['so does an unknown command', '.cvs\nSELECT 1;', '', /^USAGE: \.cvs: is not a command; allowed: \.table, \.csv/],
])(
  'without SQL and a terminal: %s',
  async (_, input, stdout, fault) => {
    const ended = await typed(input)
    expect(ended).toMatchObject({ stdout, code: fault === null ? 0 : 2 })
    expect(ended.stderr).toMatch(fault ?? /^$/)
  },
  60_000,
)

test('a folder in the place of a file of statements is refused', () => {
  const stdin = openSync(folder, 'r')
  const { status, stderr } = spawnSync(process.execPath, [CLI, 'query', '--data-dir', folder], {
    stdio: [stdin, 'pipe', 'pipe'],
    encoding: 'utf8',
  })
  closeSync(stdin)
  expect([status, stderr]).toEqual([2, 'USAGE: stdin: is a folder; give a file with statements\n'])
}, 60_000)

test('a plan is drawn on lines of its own', async () => {
  const { stdout } = await typed('EXPLAIN SELECT count(*) FROM readings;')
  expect(stdout.split('\n')[0]).toMatch(/^┌─+┐$/)
  expect(stdout).not.toContain('u000a')
}, 60_000)

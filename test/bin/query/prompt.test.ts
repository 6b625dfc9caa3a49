import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { expect, test } from 'vitest'
import { completeWord } from '../../../bin/query/prompt.ts'
import { CLI } from '../../../bin/runtime/supervise.ts'
import { openWarehouse } from '../../../warehouse/storage/warehouse.ts'
import { temporaryFolder } from '../../temporary-folder.ts'

test('the tabulator completes views, columns, keywords and commands, in any case', () => {
  expect(completeWord('SELECT mean')).toEqual([['mean'], 'mean'])
  expect(completeWord('select * from SECURITY_')).toEqual([['security_hours'], 'SECURITY_'])
  expect(completeWord('.cs')).toEqual([['.csv'], '.cs'])
  expect(completeWord('SELECT ')).toEqual([[], ''])
})

function typed(folder: string, input: string) {
  const child = spawn(process.execPath, [CLI, 'query', '--data-dir', folder], { stdio: ['pipe', 'pipe', 'pipe'] })
  child.stdin.end(input)
  return Promise.all([
    child.stdout.setEncoding('utf8').toArray(),
    child.stderr.setEncoding('utf8').toArray(),
    once(child, 'exit'),
  ]).then(([stdout, stderr, [code]]) => ({ stdout: stdout.join(''), stderr: stderr.join(''), code }))
}

// Each statement starts a process, which takes half a second.
test('without SQL it runs statement after statement, also over several lines, in the chosen form', async () => {
  const folder = await temporaryFolder()
  await (await openWarehouse(folder)).close()
  const input = 'SELECT 1 AS one;\n.csv\nSELECT count(*) AS n,\n 2 AS two FROM security_hours;\nSELECT 3 AS three'
  expect(await typed(folder, input)).toEqual({
    stdout: 'one\n1\n(1 row)\nn,two\n0,2\nthree\n3\n',
    stderr: '',
    code: 0,
  })
}, 60_000)

test('each statement of a file has its result, whatever stands on its line, in its texts and in its comments', async () => {
  const folder = await temporaryFolder()
  await (await openWarehouse(folder)).close()
  const input = [
    '\ufeff.csv',
    'SELECT 1 AS a; -- the first',
    "SELECT timestamptz '2026-11-20 10:00:00Z' AS at; SELECT 'x;",
    "y' AS b;",
    'SELECT 4 AS c -- four;',
    '  , /* five; */ 5 AS d; /* the',
    ' end; */',
    '-- the end',
  ]
  expect(await typed(folder, input.join('\r\n'))).toEqual({
    stdout: 'a\n1\nat\n2026-11-20T10:00:00Z\nb\n"x;\ny"\nc,d\n4,5\n',
    stderr: '',
    code: 0,
  })
}, 60_000)

test('a folder in the place of a file of statements is refused', async () => {
  const folder = await temporaryFolder()
  await (await openWarehouse(folder)).close()
  const stdin = openSync(folder, 'r')
  const { status, stderr } = spawnSync(process.execPath, [CLI, 'query', '--data-dir', folder], {
    stdio: [stdin, 'pipe', 'pipe'],
    encoding: 'utf8',
  })
  closeSync(stdin)
  expect([status, stderr]).toEqual([2, 'USAGE: stdin: is a folder; give a file with statements\n'])
}, 60_000)

test('a plan is drawn on lines of its own', async () => {
  const folder = await temporaryFolder()
  await (await openWarehouse(folder)).close()
  const { stdout } = await typed(folder, 'EXPLAIN SELECT count(*) FROM readings;')
  expect(stdout.split('\n')[0]).toMatch(/^┌─+┐$/)
  expect(stdout).not.toContain('u000a')
}, 60_000)

test.each([
  ['SELECT 1 AS one;\nSELEKT;\nSELECT 3 AS three;', 'one\n1\n(1 row)\n', /^USAGE: sql: .*SELEKT.*\n$/],
  ['SELECT error($$no$$)', '', /^USAGE: sql: .*no\n$/],
  ['.cvs\nSELECT 1;', '', /^USAGE: \.cvs: is not a command; allowed: \.table, \.csv/],
])(
  'without a terminal, the first failure ends %j with its exit code',
  async (input, stdout, stderr) => {
    const folder = await temporaryFolder()
    await (await openWarehouse(folder)).close()
    const ended = await typed(folder, input)
    expect(ended).toMatchObject({ stdout, code: 2 })
    expect(ended.stderr).toMatch(stderr)
  },
  60_000,
)

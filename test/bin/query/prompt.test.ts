import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { completeWord } from '../../../bin/query/prompt.ts'
import { CLI } from '../../../bin/runtime/supervise.ts'
import { openWarehouse } from '../../../warehouse/storage/warehouse.ts'
import { EXHAUSTIVE } from '../../exhaustive.ts'
import { temporaryFolder } from '../../temporary-folder.ts'

test('the tabulator completes views, columns, keywords and commands, in any case', () => {
  expect(completeWord('SELECT mean')).toEqual([['mean_minutes', 'mean'], 'mean'])
  expect(completeWord('select * from SECURITY_')).toEqual([['security_hours'], 'SECURITY_'])
  expect(completeWord('.cs')).toEqual([['.csv'], '.cs'])
  expect(completeWord('SELECT ')).toEqual([[], ''])
})

// Each statement starts a process, which takes a second.
test.runIf(EXHAUSTIVE)(
  'without SQL it runs statement after statement, also over several lines and after a wrong one, in the chosen form',
  async () => {
    const folder = await temporaryFolder()
    await (await openWarehouse(folder)).close()
    const child = spawn(process.execPath, [CLI, 'query', '--data-dir', folder], { stdio: ['pipe', 'pipe', 'pipe'] })
    child.stdin.end(
      'SELECT 1 AS one;\n.csv\nSELECT count(*) AS n,\n 2 AS two FROM security_hours;\nSELEKT;\nSELECT 3 AS three',
    )
    const stderr = child.stderr.setEncoding('utf8').toArray()
    const stdout = (await child.stdout.setEncoding('utf8').toArray()).join('')
    if (child.exitCode === null) await once(child, 'exit')
    expect(stdout).toBe('one\n1\n(1 rows)\nn,two\n0,2\nthree\n3\n')
    expect((await stderr).join('')).toMatch(/^USAGE: sql: .*SELEKT.*\n$/)
  },
  120_000,
)

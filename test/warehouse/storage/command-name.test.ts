import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { commandName, otherProcess } from '../../../warehouse/storage/command-name.ts'
import { temporaryFolder } from '../../temporary-folder.ts'

test.each([
  ['node /opt/holdshort/dist/bin/holdshort.js query', 'holdshort query'],
  ['node --max-old-space-size=400 /opt/dist/bin/holdshort.js work', 'holdshort work'],
  [
    'node --require ./x.cjs --import data:text/javascript,0 -r y.js dist/bin/holdshort.js import a.csv',
    'holdshort import',
  ],
  ['node /usr/local/bin/holdshort query --data-dir /srv/waits', 'holdshort query'],
  ['node /usr/local/bin/holdshort --help', 'holdshort'],
  ['holdshort export', 'holdshort export'],
  ['python3 -u analysis.py --password=secret', 'python3 analysis.py'],
  ['python3 -m module secret', 'python3'],
  ['node -e setInterval(()=>0)', 'node'],
  ['duckdb warehouse.duckdb', 'duckdb'],
  ['vim dist/bin/holdshort.js', 'vim'],
])('"%s" is named "%s"', (line, name) => {
  const words = line.split(' ')
  expect(commandName(words, `/usr/bin/${words[0]}`)).toBe(name)
})

test('a running process is named by its command, with when it was started', async () => {
  const script = join(await temporaryFolder(), 'holdshort.js')
  writeFileSync(script, 'setInterval(() => undefined, 1_000)')
  const began = Date.now()
  const child = spawn(process.execPath, [
    '--no-warnings',
    '--import',
    'data:text/javascript,0',
    script,
    'query',
    'secret',
  ])
  onTestFinished(() => void child.kill('SIGKILL'))
  const found = await vi.waitFor(() => {
    const program = otherProcess(child.pid!, process.execPath)
    expect(program.name).toBe('holdshort query')
    return program
  })
  expect(Math.abs(Date.parse(found.started_at!) - began)).toBeLessThan(3_000)
})

test('of a process that has ended only its program is known', () => {
  expect(otherProcess(2 ** 30, '/usr/bin/python3')).toEqual({ name: 'python3', started_at: null })
})

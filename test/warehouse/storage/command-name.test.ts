import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { commandName, otherProcess } from '../../../warehouse/storage/command-name.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { testValues } from '../../values.ts'

testValues('warehouse/storage/command-name.json', {
  commandName: (line: string) => {
    const words = line.split(' ')
    return commandName(words, `/usr/bin/${words[0]}`)
  },
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

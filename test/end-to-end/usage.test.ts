import { spawnSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Command } from 'commander'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { COMMANDS } from '../../bin/commands/index.ts'
import { COMMAND_TEXTS, helpOf, summaryOf } from '../../bin/runtime/help.ts'
import { projectFile } from '../../config/paths.ts'
import { DEFAULT_TRAINING_SETTINGS } from '../../training/settings/training-settings.ts'
import { EXHAUSTIVE } from '../exhaustive.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { run } from './commands.ts'
import { holdshort } from './installation.ts'

/** A folder of an installation that has no rows yet. */
async function newInstallation(): Promise<string> {
  const folder = await temporaryFolder()
  await writeFile(join(folder, 'world.json'), '{"simulated":false}')
  return folder
}

afterEach(() => {
  vi.unstubAllEnvs()
})

/** Every command and subcommand: `holdshort`, `holdshort keys`, `holdshort keys issue`, … */
function commandLines(command: Command, args: string[] = []): string[][] {
  return [args, ...command.commands.flatMap((subcommand) => commandLines(subcommand, [...args, subcommand.name()]))]
}

const program = new Command('holdshort')
for (const load of Object.values(COMMANDS)) (await load()).register(program)

it.each(commandLines(program).map((args) => [args.join(' '), args]))('help holdshort %s --help', async (_, args) => {
  const { code, stdout, stderr } = await run(...args, '--help')
  expect([code, stderr]).toEqual([0, ''])
  expect(stdout).toContain(`Usage: ${['holdshort', ...args].join(' ')}`)
  expect(stdout).not.toMatch(/default:\s+\[\]/)
})

it('lists every command with its summary', async () => {
  const { stdout } = await run('--help')
  for (const name of Object.keys(COMMANDS))
    expect(stdout).toMatch(new RegExp(`^ +${name} .*${summaryOf(name).slice(0, 20)}`, 'm'))
  expect(program.commands.map((command) => command.name())).toEqual(Object.keys(COMMANDS))
})

it('the page of commands has each of them once, and the margins that serve', () => {
  const names = commandLines(program).flatMap((args) => (args.length === 0 ? [] : [args.join(' ')]))
  expect([...COMMAND_TEXTS.keys()].sort()).toEqual(names.sort())
  for (const name of Object.keys(COMMANDS)) expect(summaryOf(name), name).not.toBe('')
  const { choice, challenger } = DEFAULT_TRAINING_SETTINGS
  for (const [margin, name] of [
    [choice.margin, 'lower by more than'],
    [challenger.margin, 'lost by more than'],
  ] as const)
    expect(helpOf('train')).toContain(`${name} ${100 * margin} %`)
})

it.runIf(EXHAUSTIVE)('npm run learn lists what it learns, and a missing folder is a misuse', () => {
  const learn = (...words: string[]) =>
    spawnSync(process.execPath, [projectFile('dist', 'bin', 'learn', 'main.js'), ...words], { encoding: 'utf8' })
  const help = learn('--help')
  expect(help.status).toBe(0)
  for (const name of ['measure', 'prior', 'nowcast']) expect(help.stdout).toContain(`  ${name} `)
  const misused = learn('measure')
  expect([misused.status, misused.stdout]).toEqual([2, ''])
  expect(misused.stderr).toContain("'folder'")
})

describe('misuse exits with 2 and names the wrong argument', () => {
  it.each<[string, string]>([
    ['fly', 'fly'],
    ['run collect no-such-source', 'no-such-source'],
    ['run collect --jsn', '--jsn'],
    ['live', 'airport'],
    ['live ZZZ', 'airport'],
    ['live JFK --kind luggage', '--kind'],
    ['run replay --from yesterday', '--from'],
    ['run replay sea-cwt --to 2026-13-01', '--to'],
    ['run replay nowhere', 'nowhere'],
    ['sources parse sea-cwt', 'file'],
    ['sources parse sea-cwt /nowhere/body.json', '/nowhere/body.json'],
    ['sources parse nowhere body.json', 'nowhere'],
    ['sources parse sea-cwt package.json --iata Qqq', '--iata'],
    ['sources parse sea-cwt package.json --fetched-at 5', '--fetched-at'],
    ['import --kind security', 'file'],
    ['import waits.csv', '--kind'],
    ['import waits.csv --kind luggage', '--kind'],
    ['import waits.csv --kind security --source sea-cwt', '--source'],
    ['import waits.csv --kind security --map minutes', '--map'],
    ['train --airport ZZZ', '--airport'],
    ['train --cutoff 2026', '--cutoff'],
    ['train --cutoff 2199-01-01', '--cutoff: 2199-01-01 is in the future'],
    ['features --out /nowhere/x.parquet', '--out: /nowhere/x.parquet cannot be written'],
    ['backtest --to 2026-11-01 --out x.csv', '--from'],
    ['backtest --from 2026-11-01 --to 2026-10-01 --out x.csv', '--to'],
    ['backtest --from 2026-11-01 --to 2026-11-02 --every day --out x.csv', '--every'],
    ['keys issue', '--tier'],
    ['keys issue --tier gold', '--tier'],
    [`keys issue --tier free --name ${'n'.repeat(101)}`, '--name'],
    ['keys revoke', 'id'],
    ['sources check nowhere', 'nowhere'],
    ['run rollup twice', 'rollup'],
    ['run publish --day', '--day'],
  ])('holdshort %s', async (line, named) => {
    vi.stubEnv('HOLDSHORT_DATA_DIR', await newInstallation())
    const { code, stdout, stderr } = await run(...line.split(' '))
    expect(stderr).toContain(named)
    expect([code, stdout]).toEqual([2, ''])
  })

  it('a query with a syntax error shows its position', async () => {
    const { code, stderr } = await run('query', 'SELEC 1', '--data-dir', await newInstallation())
    expect(code).toBe(2)
    expect(stderr).toContain('SELEC')
  })

  it('invalid settings are all named at once', async () => {
    vi.stubEnv('HOLDSHORT_PORT', 'high')
    vi.stubEnv('HOLDSHORT_RAW_DAYS', '-1')
    vi.stubEnv('HOLDSHORT_RAW_DAZE', '3')
    const { code, stderr } = await run('run', 'publish')
    expect(code).toBe(2)
    for (const name of ['HOLDSHORT_PORT', 'HOLDSHORT_RAW_DAYS', 'HOLDSHORT_RAW_DAZE']) expect(stderr).toContain(name)
  })

  it('also when run as a process', async () => {
    const { code, stdout, stderr } = await holdshort(['keys', 'issue', '--tier', 'gold'])
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain('--tier')
  })
})

it('a failed parse prints its error code as JSON on stdout and exits with 1', async () => {
  const { code, stdout, stderr } = await run('sources', 'parse', 'sea-cwt', 'package.json')
  expect([code, JSON.parse(stdout)]).toMatchObject([1, { error: { code: 'PARSE_FAILED' } }])
  expect(stderr).toContain('PARSE_FAILED')
})

import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, linkSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { COMMANDS } from '../../bin/commands/index.ts'
import { createProgram } from '../../bin/program.ts'
import { projectFile } from '../../config/paths.ts'
import { dataPaths } from '../../config/settings.ts'
import { openWarehouse } from '../../warehouse/storage/warehouse.ts'
import { readings } from '../../warehouse/tables/readings.ts'
import { EXHAUSTIVE, repetitions } from '../exhaustive.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { readCases } from '../values.ts'
import { reading } from '../warehouse/test-rows.ts'
import { run } from './commands.ts'

// The doctor starts the browser that it finds, which takes seconds.
beforeAll(() => void vi.stubEnv('HOLDSHORT_CHROMIUM_PATH', '/no-browser'))
afterAll(() => void vi.unstubAllEnvs())

test('commands that only read never create a data folder, and all but the list of sources say what to do without one', async () => {
  const folder = join(await temporaryFolder(), 'nothing')
  const listed = await run('sources', '--data-dir', folder)
  expect([listed.code, listed.stderr]).toEqual([0, ''])
  expect(listed.stdout).toContain('sea-cwt')
  expect((await run('doctor', '--data-dir', folder)).stdout).toContain('does not exist yet')
  for (const command of [
    ['query', 'SELECT 1'],
    ['export'],
    ['keys', 'list'],
    ['keys', 'revoke', 'key_1'],
    ['accounts', 'list'],
    ['accounts', 'export', 'nobody@example.org'],
    ['run', 'publish'],
    ['run', 'rollup'],
  ]) {
    const { code, stderr, stdout } = await run(...command, '--data-dir', folder)
    expect([code, stdout], command.join(' ')).toEqual([2, ''])
    expect(stderr, command.join(' ')).toBe(
      `USAGE: data-dir: ${folder} does not exist; name the folder of an installation with --data-dir or HOLDSHORT_DATA_DIR\n`,
    )
  }
  expect(existsSync(folder)).toBe(false)
  mkdirSync(folder)
  const empty = await run('query', 'SELECT 1', '--data-dir', folder)
  expect([empty.code, empty.stderr]).toEqual([
    2,
    `USAGE: data-dir: ${folder} is empty; name the folder of an installation with --data-dir or HOLDSHORT_DATA_DIR\n`,
  ])
  expect(readdirSync(folder)).toEqual([])
})

test('a command that reads refuses a folder of something else, and makes no empty installation in it', async () => {
  const folder = await temporaryFolder()
  writeFileSync(join(folder, 'notes.txt'), 'mine')
  for (const command of [
    ['query', 'SELECT 1'],
    ['export'],
    ['keys', 'list'],
    ['accounts', 'list'],
    ['models', 'list'],
    ['state', 'accept'],
  ]) {
    const { code, stderr, stdout } = await run(...command, '--data-dir', folder)
    expect([code, stdout], command.join(' ')).toEqual([2, ''])
    expect(stderr, command.join(' ')).toMatch(/^USAGE: data-dir: .* holds nothing of an installation; name the folder/)
  }
  expect(readdirSync(folder)).toEqual(['notes.txt'])
})

test('an installation begins in no project of somebody', async () => {
  const folder = await temporaryFolder()
  writeFileSync(join(folder, 'package.json'), '{}')
  for (const command of [['start', '--port', '0'], ['work'], ['demo', '--once'], ['keys', 'issue', '--tier', 'free']]) {
    const { code, stderr } = await run(...command, '--data-dir', folder)
    expect([command, code, stderr]).toEqual([command, 1, expect.stringMatching(/^DATA_FOLDER_UNUSABLE: .* a project/)])
  }
  expect((await run('doctor', '--data-dir', folder)).stdout).toContain('no place for a new installation')
  expect(readdirSync(folder)).toEqual(['package.json'])
  // One that was begun goes on, whatever else was put there.
  rmSync(join(folder, 'package.json'))
  expect((await run('keys', 'issue', '--tier', 'free', '--data-dir', folder)).code).toBe(0)
  writeFileSync(join(folder, 'package.json'), '{}')
  expect((await run('keys', 'issue', '--tier', 'free', '--data-dir', folder)).code).toBe(0)
})

test('a part of a data folder in the place of the folder begins no second installation', async () => {
  const folder = await temporaryFolder()
  await (await openWarehouse(folder)).close()
  writeFileSync(dataPaths(folder).world, '{"simulated":false}')
  const { warehouse } = dataPaths(folder)
  const before = readdirSync(warehouse)
  for (const part of [warehouse, join(warehouse, 'data')]) {
    for (const command of [['start'], ['serve'], ['work'], ['keys', 'issue', '--tier', 'free']]) {
      const { code, stderr } = await run(...command, '--data-dir', part)
      expect([command, code, stderr]).toEqual([
        command,
        1,
        `DATA_FOLDER_UNUSABLE: ${part} is a part of the data folder ${folder}; name that one\n`,
      ])
    }
    const { stdout } = await run('doctor', '--data-dir', part)
    expect(stdout).toContain(`is a part of the data folder ${folder}`)
  }
  expect(readdirSync(warehouse)).toEqual(before)
})

test('a data folder copied by hard links is refused, and a real copy of it is not', async () => {
  const folder = await temporaryFolder()
  const [first, linked, copied] = ['first', 'linked', 'copied'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ]
  for (const part of ['warehouse', 'state'] as const) {
    const warehouse = await openWarehouse(first)
    await warehouse.land(readings, [reading()])
    await warehouse.close()
    expect((await run('keys', 'issue', '--tier', 'free', '--data-dir', first)).code).toBe(0)
    const file = part === 'state' ? dataPaths(first).state : dataPaths(first).warehouse_file
    cpSync(first, linked, { recursive: true })
    rmSync(file.replace(first, linked))
    linkSync(file, file.replace(first, linked))
    for (const own of [linked, first]) {
      const { code, stderr } = await run('keys', 'issue', '--tier', 'free', '--data-dir', own)
      expect([code, stderr]).toEqual([
        1,
        expect.stringContaining(`${file.replace(first, own)} is a file of another folder too`),
      ])
      expect(stderr).toMatch(/^DATA_FOLDER_UNUSABLE: /)
      const { stdout } = await run('doctor', '--data-dir', own)
      expect(stdout).toContain('is a file of another folder too')
    }
    cpSync(linked, copied, { recursive: true })
    expect((await run('keys', 'issue', '--tier', 'free', '--data-dir', copied)).code).toBe(0)
    for (const copy of [linked, copied]) rmSync(copy, { recursive: true })
  }
  // A second name in the same folder is of a repair that was killed.
  linkSync(dataPaths(first).warehouse_file, join(dataPaths(first).warehouse, 'damaged-20261120T100000Z.duckdb'))
  expect((await run('keys', 'issue', '--tier', 'free', '--data-dir', first)).code).toBe(0)
})

test('a port in use is one line with the address and what to do, before anything is opened', async () => {
  const folder = await temporaryFolder()
  const other = createServer().listen({ host: '127.0.0.1', port: 0 })
  onTestFinished(() => void other.close())
  await once(other, 'listening')
  const { port } = other.address() as { port: number }
  for (const command of ['serve', 'start']) {
    const { code, stderr } = await run(command, '--port', String(port), '--data-dir', folder)
    expect([code, stderr], command).toEqual([
      1,
      `EADDRINUSE: 127.0.0.1, port ${port}, is in use by another program; stop it, or choose another port with --port or HOLDSHORT_PORT\n`,
    ])
  }
  expect(readdirSync(folder)).toEqual([])
})

test('numbers beyond their bounds, or not in digits, are refused by every command that takes one', async () => {
  const folder = await temporaryFolder()
  const wrong: [words: string[], flag: string, texts: string[]][] = [
    [['backup', join(folder, 'backups')], '--keep', ['0', '-1', '1e99', '10001', '0x10', '', '1.5', ' ']],
    [['restore', folder], '--generation', ['0', '1e3', '1e99', 'newest']],
    [['import', 'none.csv', '--kind', 'security'], '--lag-hours', ['-1', '1e3', '8785', 'Infinity', '']],
    [['demo'], '--seed', ['1e15', '0.5', 'one', '99999999999']],
    [['serve'], '--port', ['1e3', '0x50', '65536', '-1', '80.5']],
    [['start'], '--port', ['1e3']],
  ]
  for (const [words, flag, texts] of wrong)
    for (const text of texts) {
      const { code, stdout, stderr } = await run(...words, `${flag}=${text}`, '--data-dir', folder)
      expect([code, stdout], `${words[0]} ${flag}=${text}`).toEqual([2, ''])
      expect(stderr, `${words[0]} ${flag}=${text}`).toMatch(/^(USAGE|SETTINGS_INVALID): [^\n]+\n$/)
      expect(stderr.includes(flag) || stderr.includes('HOLDSHORT_PORT'), stderr).toBe(true)
    }
  expect(readdirSync(folder)).toEqual([])
})

test('an empty argument, as of a variable that is not set, never means the current folder', async () => {
  const folder = await temporaryFolder()
  for (const [words, name] of [
    [['backup', ''], 'folder'],
    [['export', ''], 'folder'],
    [['import', 'a.csv', '', '--kind', 'security'], 'file'],
    [['keys', 'issue', '--tier', 'pro', '--name', ''], '--name'],
    [['accounts', 'grant', '', '--tier', 'pro'], 'account'],
    [['query', '--data-dir', ''], '--data-dir'],
  ] as const) {
    const { code, stderr } = await run(...words, ...(name === '--data-dir' ? [] : ['--data-dir', folder]))
    expect([code, stderr], words.join(' ')).toEqual([2, `USAGE: ${name}: is empty\n`])
  }
  expect(readdirSync(folder)).toEqual([])
})

test('a day that no month has is refused, and means no other one', async () => {
  const folder = await temporaryFolder()
  for (const day of ['2127-02-31', '2127-04-31T00:00:00Z', '2127-02-29']) {
    const words = ['accounts', 'grant', 'ada@example.org', '--tier', 'pro', '--until', day, '--data-dir', folder]
    const { code, stderr } = await run(...words)
    expect([code, stderr], day).toEqual([2, expect.stringContaining(`--until: "${day}" is not an ISO instant`)])
  }
})

test('a file without an end, or a larger one than is ever meant, is refused soon', async () => {
  const folder = await temporaryFolder()
  await (await openWarehouse(folder)).close()
  const bomb = join(folder, 'bomb.gz')
  writeFileSync(bomb, gzipSync(Buffer.alloc(100 * 1_048_576)))
  for (const [words, exit, text] of [
    [
      ['sources', 'parse', 'sea-cwt', '/dev/zero'],
      2,
      'USAGE: file: /dev/zero cannot be read (/dev/zero has more than 64 MB',
    ],
    [['sources', 'parse', 'sea-cwt', bomb], 2, `USAGE: file: ${bomb} is not a complete gzip file of up to 64 MB`],
    [['train', '--settings', '/dev/zero', '--data-dir', folder], 2, 'SETTINGS_INVALID: /dev/zero: '],
    [['score', '/dev/zero', '--data-dir', folder], 2, 'USAGE: /dev/zero cannot be read'],
    [['restore', '/dev/zero', '--data-dir', folder], 2, 'USAGE: backup: /dev/zero is not a folder'],
    [['import', '/dev/zero', '--kind', 'security', '--data-dir', folder], 1, 'IMPORT_INVALID: /dev/zero'],
  ] as const) {
    const { code, stderr } = await run(...words)
    expect([code, stderr.startsWith(text)], `${words.join(' ')}: ${stderr}`).toEqual([exit, true])
    expect(stderr, words.join(' ')).toMatch(/^[^\n]+\n$/)
  }
})

test('the name of an archive is refused, and no folder of its name is made', async () => {
  const folder = await temporaryFolder()
  const installation = join(folder, 'data')
  expect((await run('keys', 'issue', '--tier', 'free', '--data-dir', installation)).code).toBe(0)
  for (const name of ['x.zip', 'x.ZIP', 'x.tar.bz2', 'x.tar.xz', 'x.7z', 'x.gz', 'x.rar']) {
    const { code, stderr } = await run('backup', join(folder, name), '--data-dir', installation)
    expect(code, name).toBe(2)
    expect(stderr, name).toContain('is the name of an archive, and none is written; name a folder')
  }
  expect(readdirSync(folder)).toEqual(['data'])
  const named = join(folder, '2026-11-22.backups')
  expect((await run('backup', named, '--data-dir', installation)).code).toBe(0)
  expect(existsSync(named)).toBe(true)
})

test('too few open files are one line with a code, before anything is loaded', () => {
  const program = projectFile('dist', 'bin', 'holdshort.js')
  const limits = [
    [300, 'serve'],
    [24, 'doctor'],
  ] as const
  for (const [limit, command] of limits.slice(0, repetitions(1, 2))) {
    const { status, stdout, stderr } = spawnSync('sh', ['-c', `ulimit -n ${limit}; exec node ${program} ${command}`], {
      encoding: 'utf8',
    })
    expect([status, stdout, stderr]).toEqual([
      1,
      '',
      `EMFILE: this process may have ${limit} open files and needs 1000; raise the limit (ulimit -n)\n`,
    ])
  }
})

/** Every command that has a data folder, as somebody would type it; those that need it to exist say so. */
const WITH_DATA_FOLDER = readCases<Record<string, { words: string[]; needsExisting?: true }>>(
  'end-to-end/commands-with-data-folder.json',
)
/** These look at a folder that does not exist, or cannot be made, without an error: they make none. */
const LOOKING = ['live', 'sources', 'doctor']

test('every command with a data folder that cannot be one says so in one line, at once', async () => {
  // A restore needs a backup: its own test says what it does with such folders.
  const known = new Set([...Object.keys(WITH_DATA_FOLDER), ...LOOKING, 'restore'])
  for (const name of Object.keys(COMMANDS)) {
    const program = await createProgram(name)
    const hasFolder = program.commands.some((command) =>
      [command, ...command.commands].some(({ options }) => options.some(({ long }) => long === '--data-dir')),
    )
    expect([name, known.has(name)]).toEqual([name, hasFolder])
  }
  const folder = await temporaryFolder()
  const file = join(folder, 'file')
  writeFileSync(file, 'mine')
  const dangling = join(folder, 'dangling')
  symlinkSync(join(folder, 'nowhere'), dangling)
  const places = [file, join(file, 'x'), join(file, 'x', 'y'), dangling, '/proc/nope', '/proc/nope/x', '/dev/null']
  for (const [index, [name, { words, needsExisting }]] of Object.entries(WITH_DATA_FOLDER).entries()) {
    const tried = EXHAUSTIVE ? places : [file, places[1 + (index % (places.length - 1))]!]
    for (const place of tried) {
      const started = performance.now()
      const { code, stderr, stdout } = await run(name, ...words, '--data-dir', place)
      const isOther = place === file || place === '/dev/null'
      const expected = needsExisting && !isOther ? 'USAGE: data-dir: ' : 'DATA_FOLDER_UNUSABLE: '
      const shown = `${name} --data-dir ${place}: ${stderr}`
      expect([code, stdout], shown).toEqual([needsExisting && !isOther ? 2 : 1, ''])
      expect(stderr.startsWith(`${expected}${place} `), shown).toBe(true)
      expect(stderr.split('\n'), shown).toHaveLength(2)
      expect(performance.now() - started, shown).toBeLessThan(10_000)
    }
  }
  for (const name of LOOKING) {
    const { code, stderr, stdout } = await run(name, ...(name === 'live' ? ['JFK'] : []), '--data-dir', file)
    const shown = name === 'doctor' ? stdout : stderr
    expect([name, code], shown).toEqual([name, 1])
    expect(shown).toMatch(name === 'doctor' ? /is a file; choose a folder/ : /^DATA_FOLDER_UNUSABLE: [^\n]+\n$/)
  }
  expect(readdirSync(folder).toSorted()).toEqual(['dangling', 'file'])
}, 60_000)

test('a file, or a link that leads nowhere, in the place of a folder is named by commands and the doctor', async () => {
  const folder = await temporaryFolder()
  const { root, ...inside } = dataPaths(join(folder, 'data'))
  const dangling = (path: string) => symlinkSync(join(folder, 'not-mounted'), path)
  const wrongPlaces: [string, (path: string) => void, RegExp][] = [
    [root, dangling, /it is a link that leads nowhere; the disk/],
    [inside.snapshots, (path) => writeFileSync(path, ''), /it is not a folder/],
    [inside.scratch, (path) => writeFileSync(path, ''), /it is not a folder/],
    [inside.raw, dangling, /it is a link that leads nowhere; the disk/],
    [inside.warehouse, dangling, /it is a link that leads nowhere; the disk/],
  ]
  for (const [path, put, reason] of wrongPlaces) {
    if (path !== root) mkdirSync(root, { mode: 0o700 })
    put(path)
    const doctor = await run('doctor', '--data-dir', root)
    expect([doctor.code, doctor.stdout]).toEqual([1, expect.stringMatching(`WRONG +${path} cannot be used: .*;`)])
    expect(doctor.stdout).toMatch(reason)
    if (path !== inside.raw && path !== inside.snapshots) {
      const words = path === root ? ['keys', 'issue', '--tier', 'free'] : ['run', 'publish']
      const { code, stderr } = await run(...words, '--data-dir', root)
      expect([code, stderr], path).toEqual([1, expect.stringMatching(/^DATA_FOLDER_UNUSABLE: [^\n]+\n$/)])
      expect(stderr).toMatch(reason)
    }
    rmSync(root, { recursive: true })
  }
})

test('a path that is not UTF-8 is refused before anything is opened, as an argument, a variable or the current folder', async () => {
  const folder = await temporaryFolder()
  /** Runs a command in a shell, which can write a byte that is no text. */
  const inShell = (line: string) =>
    spawnSync('bash', [
      '-c',
      `cd '${folder}'; BAD=$'bad-\\xff'; ${line}`,
      process.execPath,
      projectFile('dist/bin/holdshort.js'),
    ])
  const lines = [
    'mkdir "$BAD" && cd "$BAD" && "$0" "$1" keys list',
    'HOLDSHORT_DATA_DIR="$BAD" "$0" "$1" keys list',
    '"$0" "$1" doctor --data-dir "$BAD"',
    '"$0" "$1" query "SELECT 1" --data-dir="$BAD"',
  ]
  for (const line of lines.slice(0, repetitions(1, lines.length))) {
    const { status, stderr } = inShell(line)
    expect([status, String(stderr)], line).toEqual([
      2,
      expect.stringMatching(/^(USAGE|SETTINGS_INVALID): .*is not UTF-8/),
    ])
  }
  expect(readdirSync(folder)).toHaveLength(1)
})

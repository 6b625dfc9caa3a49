import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { projectFile } from '../../config/paths.ts'
import type { Manifest } from '../../warehouse/export/manifest.ts'
import { readers } from '../../warehouse/export/readers.ts'
import { makeFolder } from '../kept-folder.ts'
import { exampleExport } from '../warehouse/export/example-export.ts'

/** The packages of this folder, which are no dependencies of the project. */
const here = projectFile('test', 'readers', 'package.json')
const requireHere = createRequire(here)
const INSTALLED = existsSync(projectFile('test', 'readers', 'node_modules', 'datapackage'))
if (!INSTALLED) console.warn('test/readers is skipped: run `npm ci --prefix test/readers` first')

/** The Python that has pandas: that of Debian, also where another one comes first. */
const PYTHON = ['python3', '/usr/bin/python3'].find((path) => spawnSync(path, ['-c', 'import pandas']).status === 0)
const HAS_R = spawnSync('Rscript', ['--version']).status === 0

/** A resource of a data package, as the library of Frictionless reads it. */
interface Resource {
  valid: boolean
  errors: Error[]
  name: string
  tabular: boolean
  read: (options: { keyed: boolean }) => Promise<Record<string, unknown>[]>
}
interface DataPackage {
  Package: {
    load: (
      descriptor: object,
      options: { basePath: string; strict: boolean },
    ) => Promise<{ valid: boolean; errors: Error[]; resources: Resource[] }>
  }
}

interface Polars {
  scanParquet: (path: string) => { filter: (of: Condition) => { collect: () => Promise<Frame> } }
  col: (name: string) => { eq: (value: unknown) => Condition }
  lit: (value: string) => unknown
}
interface Condition {
  and: (other: Condition) => Condition
}
interface Frame {
  height: number
  getColumn: (name: string) => { toArray: () => unknown[] }
}

describe('an export, read and judged by others', () => {
  const kept = makeFolder()
  const made = { folder: '', manifest: {} as Manifest }
  beforeAll(async () => {
    made.folder = await kept.make()
    made.manifest = await exampleExport(await kept.make(), made.folder)
  })
  afterAll(kept.remove)
  const lines = (name: string) => readers(made.manifest).find((reader) => reader.name === name)!.code
  const descriptor = async () =>
    JSON.parse(await readFile(join(made.folder, 'datapackage.json'), 'utf8')) as { resources: { name: string }[] }

  test.skipIf(!INSTALLED)(
    'the library of Frictionless finds the data package valid, and casts every cell of the CSVs',
    async () => {
      const { Package } = requireHere('datapackage') as DataPackage
      const judged = await Package.load(await descriptor(), { basePath: made.folder, strict: false })
      expect([judged.valid, judged.errors]).toEqual([true, []])
      expect(judged.resources.map(({ name, valid, errors }) => [name, valid, errors])).toEqual(
        judged.resources.map(({ name }) => [name, true, []]),
      )
      const tables = judged.resources.filter(({ tabular }) => tabular)
      expect(tables.map(({ name }) => name)).toEqual(['waits-jfk', 'waits-lax'])
      for (const table of tables) {
        const rows = await table.read({ keyed: true })
        expect(rows).toHaveLength(3)
        expect(rows[0]).toMatchObject({ hour: new Date('2026-11-20T09:00:00Z'), samples: 1, simulated: false })
      }
      // It is strict: a resource without a name is found.
      const broken = await descriptor()
      broken.resources[0]!.name = 'Not A Name'
      expect((await Package.load(broken, { basePath: made.folder, strict: false })).valid).toBe(false)
    },
  )

  test.skipIf(!INSTALLED)('the engine of polars reads what its lines select', async () => {
    const polars = requireHere('nodejs-polars') as Polars
    const [, glob = ''] = /scan_parquet\('(.*)'\)/.exec(lines('polars')) ?? []
    const conditions = [...lines('polars').matchAll(/pl\.col\('(\w+)'\) == '(\w+)'/g)]
    expect(conditions).toHaveLength(2)
    const wanted = conditions.map(([, column = '', value = '']) => polars.col(column).eq(polars.lit(value)))
    const found = await polars
      .scanParquet(join(made.folder, glob))
      .filter(wanted.reduce((all, each) => all.and(each)))
      .collect()
    expect(found.height).toBe(3)
    expect(new Set(found.getColumn('iata').toArray())).toEqual(new Set(['JFK']))
  })

  test.skipIf(PYTHON === undefined)('the lines for pandas from CSV run, and those from Parquet are valid', () => {
    const ran = spawnSync(PYTHON!, ['-c', lines('pandas, from CSV')], { cwd: made.folder, encoding: 'utf8' })
    expect(ran.stderr).toBe('')
    // 09:00 UTC is 4 o'clock in New York.
    expect(ran.stdout).toMatch(/local_time\n4 +7\.0\n5 +7\.0\n6 +7\.0\n/)
    for (const name of ['pandas', 'polars'])
      expect(
        spawnSync(PYTHON!, ['-c', 'import ast, sys; ast.parse(sys.stdin.read())'], { input: lines(name) }).status,
      ).toBe(0)
  })

  test.skipIf(!HAS_R)('the lines for R from CSV run, and those from Parquet are valid', () => {
    const ran = spawnSync('Rscript', ['-e', lines('R, from CSV')], { cwd: made.folder, encoding: 'utf8' })
    expect(ran.stderr).toBe('')
    expect(ran.stdout).toMatch(/04 +7\n.*05 +7\n.*06 +7/)
    expect(spawnSync('Rscript', ['-e', 'invisible(parse(file("stdin")))'], { input: lines('R') }).status).toBe(0)
    expect(lines('R')).toContain("open_dataset('data/v1/rollups')")
  })
})

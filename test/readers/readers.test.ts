import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { projectFile } from '../../config/paths.ts'
import type { Manifest } from '../../warehouse/export/manifest.ts'
import { makeFolder } from '../kept-folder.ts'
import { exampleExport } from '../warehouse/export/example-export.ts'

/** The packages of this folder, which are no dependencies of the project. */
const here = projectFile('test', 'readers', 'package.json')
const requireHere = createRequire(here)
const INSTALLED = existsSync(projectFile('test', 'readers', 'node_modules', 'datapackage'))
if (!INSTALLED) console.warn('test/readers is skipped: run `npm ci --prefix test/readers` first')

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

const kept = makeFolder()
const made = { folder: '', manifest: {} as Manifest }
beforeAll(async () => {
  made.folder = await kept.make()
  made.manifest = await exampleExport(await kept.make(), made.folder)
})
afterAll(kept.remove)
const descriptor = async () =>
  JSON.parse(await readFile(join(made.folder, 'datapackage.json'), 'utf8')) as { resources: { name: string }[] }

test.skipIf(!INSTALLED)(
  'an export, judged by the library of Frictionless the library of Frictionless finds the data package valid, and casts every cell of the CSVs',
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

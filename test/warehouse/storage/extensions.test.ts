import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { projectFile } from '../../../config/paths.ts'
import { openDuckdb, withConnection } from '../../../warehouse/storage/duckdb.ts'
import { EXTENSIONS_VERSION, loadExtensions } from '../../../warehouse/storage/ducklake-extensions.ts'
import { temporaryFolder } from '../../temporary-folder.ts'

test('the engine, its extensions and those of the tests have one version', () => {
  const { dependencies } = JSON.parse(readFileSync(projectFile('package.json'), 'utf8')) as {
    dependencies: Record<string, string>
  }
  expect(dependencies['@duckdb/node-api']?.startsWith(`${EXTENSIONS_VERSION}-`)).toBe(true)
  const requirements = readFileSync(projectFile('test', 'shared-store', 'requirements.txt'), 'utf8')
  const versions = [...requirements.matchAll(/^duckdb.*==(\S+)/gm)].map(([, version]) => version)
  expect(versions).toHaveLength(4)
  expect(new Set(versions)).toEqual(new Set([EXTENSIONS_VERSION]))
})

test('an extension that cannot be loaded is an error that says what to do', async () => {
  const folder = await temporaryFolder()
  const engine = await openDuckdb(folder)
  try {
    await withConnection(engine, async (connection) => {
      await expect(loadExtensions(connection, folder)).rejects.toMatchObject({
        code: 'EXTENSION_MISSING',
        message: expect.stringContaining('httpfs.duckdb_extension'),
      })
    })
  } finally {
    engine.closeSync()
  }
})

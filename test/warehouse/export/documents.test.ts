import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { duckdbLines } from '../../../warehouse/export/duckdb-lines.ts'
import type { Manifest } from '../../../warehouse/export/manifest.ts'
import { openDuckdb, readRows } from '../../../warehouse/storage/duckdb.ts'
import { makeFolder } from '../../kept-folder.ts'
import { exampleExport } from './example-export.ts'

describe('the documents of an export', () => {
  const kept = makeFolder()
  const made = { manifest: {} as Manifest, folder: '' }
  const documentOf = async (name: string) => JSON.parse(await readFile(join(made.folder, name), 'utf8'))
  beforeAll(async () => {
    made.folder = await kept.make()
    made.manifest = await exampleExport(await kept.make(), made.folder)
  })
  afterAll(kept.remove)

  it('datapackage.json has what the Data Package standard requires, for every file', async () => {
    const Name = z.string().regex(/^[a-z0-9._-]+$/)
    const types = ['string', 'number', 'integer', 'boolean', 'any', 'date', 'datetime']
    const Field = z.object({ name: z.string().min(1), type: z.enum(types), description: z.string().min(1) })
    const Schema = z.object({ fields: z.array(Field).min(1), missingValues: z.array(z.string()) })
    const Resource = z.object({
      name: Name,
      path: z.string().regex(/^(?!\/)(?!.*\.\.)/),
      bytes: z.int().min(1).optional(),
      hash: z.string().regex(/^sha256:[0-9a-f]{64}$/),
      mediatype: z.string().regex(/^.+\/.+$/),
      schema: z.union([Schema, z.literal('airports.schema.json')]),
    })
    const Package = z.object({
      name: Name,
      profile: z.literal('data-package'),
      licenses: z.array(z.object({ name: z.string(), path: z.url() })).min(1),
      contributors: z.array(z.object({ title: z.string() })).min(1),
      sources: z.array(z.object({ title: z.string() })),
      resources: z.array(Resource).min(1),
    })
    const { resources } = Package.parse(await documentOf('datapackage.json'))
    expect(resources.map(({ path, bytes, hash }) => [path, bytes, hash])).toEqual(
      // The size of Parquet stands in manifest.json alone: Frictionless would take it for a wrong one.
      made.manifest.files.map(({ path, bytes, sha256 }) => [
        path,
        path.endsWith('.csv') ? bytes : undefined,
        `sha256:${sha256}`,
      ]),
    )
    expect(new Set(resources.map(({ name }) => name)).size).toBe(resources.length)
    const csv = resources.find(({ path }) => path.endsWith('JFK.csv'))
    const [header = ''] = (await readFile(join(made.folder, csv!.path), 'utf8')).split('\n')
    const { fields } = Schema.parse(await documentOf(String(csv!.schema)))
    expect(fields.map(({ name }) => name)).toEqual(header.split(','))
  })

  it('README.md begins with front matter that names every table, and has terms, credit and what was left out', async () => {
    const text = await readFile(join(made.folder, 'README.md'), 'utf8')
    const [, front = '', body = ''] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(text) ?? []
    expect(front).toContain('- config_name: rollups\n  data_files: "data/v1/rollups/*/*/*.parquet"')
    expect(front).toContain('license: other')
    expect(front).toContain('size_categories:\n- n<1K')
    expect(body).toContain('U.S. Customs and Border Protection')
    expect(body).toMatch(/\| readings \| `sea-cwt` \| 1 \| No licence/)
    expect(body).toContain('@misc{holdshort-airport-waits,')
    for (const { columns } of made.manifest.tables.filter(({ files }) => files > 0))
      for (const { name, type } of columns) expect(body).toContain(`| \`${name}\` | ${type} | `)
  })

  it('the lines for DuckDB read one airport of the exported folder', async () => {
    const duckdb = await openDuckdb('/tmp')
    const connection = await duckdb.connect()
    await connection.run(`SET file_search_path = '${made.folder}'`)
    const rows = await readRows<{ iata: string }>(connection, duckdbLines(made.manifest).replace(/;$/, ''))
    connection.closeSync()
    duckdb.closeSync()
    expect(rows.map(({ iata }) => iata)).toEqual(['JFK', 'JFK', 'JFK'])
  })

  it('the lines of a page name the addresses of the files', () => {
    const address = 'https://waits.example/data/v1/rollups/year=2026/month=11/rollups-2026-11.parquet'
    const lines = duckdbLines(made.manifest, [address])
    expect(lines).toContain(`read_parquet([\n  '${address}'\n])`)
    expect(lines).toContain("WHERE iata = 'JFK' AND level = 'airport'")
  })
})

import { spawnSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { dcatCatalogue } from '../../../api/site/open-data/dcat.ts'
import type { Manifest } from '../../../warehouse/export/manifest.ts'
import { readers } from '../../../warehouse/export/readers.ts'
import { connect, openDuckdb, readRows } from '../../../warehouse/storage/duckdb.ts'
import { EXHAUSTIVE } from '../../exhaustive.ts'
import { makeFolder } from '../../kept-folder.ts'
import { exampleExport } from './example-export.ts'

interface JsonLd {
  expand: (document: object, options: { safe: boolean; base: string }) => Promise<Node[]>
}
const { expand } = createRequire(import.meta.url)('jsonld') as JsonLd
const BASE = 'https://waits.example/data/'
const CR = 'http://mlcommons.org/croissant/'
const SC = 'https://schema.org/'

/** An expanded node: every property is an address with a list of values. */
type Node = Record<string, unknown> & { '@id'?: string; '@type'?: string[] }
const nodesAt = (node: Node, property: string) => (node[property] ?? []) as Node[]
const valueAt = (node: Node, property: string) =>
  (nodesAt(node, property)[0] as { '@value'?: unknown } | undefined)?.['@value']

describe('the documents of an export', () => {
  const kept = makeFolder()
  const made = { manifest: {} as Manifest, folder: '' }
  const documentOf = async (name: string) => JSON.parse(await readFile(join(made.folder, name), 'utf8'))
  beforeAll(async () => {
    made.folder = await kept.make()
    made.manifest = await exampleExport(await kept.make(), made.folder)
  })
  afterAll(kept.remove)

  it('croissant.json is JSON-LD without an undefined term, and has what the specification of Croissant 1.0 requires', async () => {
    // `safe` fails on every term, type or address that the context does not define.
    const [dataset] = (await expand(await documentOf('croissant.json'), { safe: true, base: BASE })) as [Node]
    expect(dataset['@type']).toEqual([`${SC}Dataset`])
    expect(valueAt(dataset, 'http://purl.org/dc/terms/conformsTo')).toBe('http://mlcommons.org/croissant/1.0')
    for (const property of ['name', 'description', 'license', 'url', 'version', 'datePublished', 'creator'])
      expect([property, nodesAt(dataset, SC + property).length > 0]).toEqual([property, true])
    expect(valueAt(dataset, `${SC}version`)).toMatch(/^\d+\.\d+\.\d+$/)
    const resources = nodesAt(dataset, `${SC}distribution`)
    const ids = resources.map((node) => node['@id'])
    expect(new Set(ids).size).toBe(ids.length)
    expect(resources.filter((node) => node['@type']?.[0] === `${CR}FileObject`)).toHaveLength(
      made.manifest.files.length,
    )
    for (const node of resources) {
      expect(valueAt(node, `${SC}name`)).toMatch(/^[\w.-]+$/)
      expect(valueAt(node, `${SC}encodingFormat`)).toMatch(/^[\w-]+\/[\w.+-]+$/)
      if (node['@type']?.[0] === `${CR}FileSet`) expect(valueAt(node, `${CR}includes`)).toMatch(/^data\/v1\//)
      else {
        expect(valueAt(node, `${SC}contentUrl`)).toBeTypeOf('string')
        expect(valueAt(node, `${SC}sha256`)).toMatch(/^[0-9a-f]{64}$/)
      }
    }
    const recordSets = nodesAt(dataset, `${CR}recordSet`)
    expect(recordSets.map((node) => valueAt(node, `${SC}name`))).toEqual(['readings', 'rollups', 'open_hours'])
    // The types that the library of MLCommons reads; it refuses a field that has none of them.
    const types = ['Text', 'Boolean', 'Integer', 'Float', 'Date'].map((name) => SC + name)
    for (const field of recordSets.flatMap((node) => nodesAt(node, `${CR}field`))) {
      const own = nodesAt(field, `${CR}dataType`).map((type) => type['@id']!)
      expect([valueAt(field, `${SC}name`), own.filter((type) => types.includes(type)).length]).toEqual([
        expect.anything(),
        1,
      ])
      const [source] = nodesAt(field, `${CR}source`)
      expect(ids).toContain(nodesAt(source!, `${CR}fileSet`)[0]?.['@id'])
      expect(valueAt(nodesAt(source!, `${CR}extract`)[0]!, `${CR}column`)).toBe(valueAt(field, `${SC}name`))
    }
  })

  it('datapackage.json has what the Data Package standard requires, for every file', async () => {
    const Name = z.string().regex(/^[a-z0-9._-]+$/)
    const types = ['string', 'number', 'integer', 'boolean', 'array', 'date', 'datetime']
    const Field = z.object({ name: z.string().min(1), type: z.enum(types), description: z.string().min(1) })
    const Resource = z.object({
      name: Name,
      path: z.string().regex(/^(?!\/)(?!.*\.\.)/),
      bytes: z.int().min(1),
      hash: z.string().regex(/^sha256:[0-9a-f]{64}$/),
      mediatype: z.string().regex(/^.+\/.+$/),
      schema: z.object({ fields: z.array(Field).min(1), missingValues: z.array(z.string()) }),
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
      made.manifest.files.map(({ path, bytes, sha256 }) => [path, bytes, `sha256:${sha256}`]),
    )
    expect(new Set(resources.map(({ name }) => name)).size).toBe(resources.length)
    const csv = resources.find(({ path }) => path.endsWith('JFK.csv'))
    const [header = ''] = (await readFile(join(made.folder, csv!.path), 'utf8')).split('\n')
    expect(csv?.schema.fields.map(({ name }) => name)).toEqual(header.split(','))
  })

  it('the DCAT catalogue is JSON-LD without an undefined term, with a licence at every dataset', async () => {
    const document = dcatCatalogue(made.manifest, 1_700_000_000_000, 'https://waits.example')
    const [catalogue] = (await expand(document, { safe: true, base: BASE })) as [Node]
    const datasets = nodesAt(catalogue, 'http://www.w3.org/ns/dcat#dataset')
    expect(datasets.map((node) => node['@id'])).toContain('https://waits.example/data#rollups')
    for (const node of datasets) expect(nodesAt(node, 'http://purl.org/dc/terms/license').length).toBeGreaterThan(0)
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

  const code = (name: string) => readers(made.manifest).find((reader) => reader.name.startsWith(name))!.code

  it('the ready lines for DuckDB read one airport of the exported folder', async () => {
    const duckdb = await openDuckdb('/tmp')
    const connection = await connect(duckdb)
    await connection.run(`SET file_search_path = '${made.folder}'`)
    const rows = await readRows<{ iata: string }>(connection, code('DuckDB').replace(/;$/, ''))
    connection.closeSync()
    duckdb.closeSync()
    expect(rows.map(({ iata }) => iata)).toEqual(['JFK', 'JFK', 'JFK'])
  })

  it.runIf(EXHAUSTIVE)('the ready lines for hyparquet read one airport of the exported folder', async () => {
    const { resolve } = createRequire(import.meta.url)
    const script = code('hyparquet').replace(/'(hyparquet(-compressors)?)'/g, (_, name: string) =>
      JSON.stringify(pathToFileURL(resolve(name)).href),
    )
    const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
      cwd: made.folder,
      encoding: 'utf8',
    })
    expect(stderr).toBe('')
    expect(stdout).toContain("iata: 'JFK'")
  })

  it('the ready lines of a page name the addresses of the files', () => {
    const files = made.manifest.files.filter(({ table, airport }) => table === 'rollups' && airport === undefined)
    const address = (path: string) =>
      `https://waits.example${made.manifest.files.find((file) => file.path === path)!.address}`
    const served = readers(made.manifest, { address, paths: files.map(({ path }) => path) })
    const expected = 'https://waits.example/data/v1/rollups/year=2026/month=11/rollups-2026-11.parquet'
    for (const { name, code: lines } of served)
      expect(lines).toContain(name.endsWith('from CSV') ? 'https://waits.example/data/v1/airports/JFK.csv' : expected)
  })
})

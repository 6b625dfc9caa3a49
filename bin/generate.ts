import { readFile } from 'node:fs/promises'
import { openApiDocument } from '../api/openapi-document.ts'
import { ERROR_MANUAL } from '../config/errors.ts'
import { projectFile } from '../config/paths.ts'
import { TIERS, tierTable } from '../config/tiers.ts'
import { writeWhole } from '../warehouse/storage/files.ts'
import { tableDictionary } from '../warehouse/tables/dictionary.ts'

const ERRORS = /(<!-- errors: [^\n]*\n)[\s\S]*(<!-- end of errors -->)/

/** The manual of operators with the table of error codes. */
async function operating(): Promise<string> {
  const rows = Object.entries(ERROR_MANUAL).map(
    ([code, { happened, todo }]) => `| \`${code}\` | ${happened} | ${todo} |\n`,
  )
  const table = `| code | what happened | what to do |\n| --- | --- | --- |\n${rows.join('')}`
  const text = await readFile(projectFile('OPERATING.md'), 'utf8')
  return text.replace(ERRORS, (_, start: string, end: string) => start + table + end)
}

const TIERS_TABLE = /(<!-- tiers: [^\n]*\n)[\s\S]*(<!-- end of tiers -->)/

/** The README with the table of tiers. */
async function readme(): Promise<string> {
  const names = Object.values(TIERS).map(({ name }) => name)
  const rows = tierTable().map(({ label, paths, cells }) => {
    const place = paths.length === 0 ? '' : ` (${paths.map((path) => `\`${path}\``).join(', ')})`
    return `| ${[`${label}${place}`, ...Object.values(cells)].join(' | ')} |\n`
  })
  const table = `| | ${names.join(' | ')} |\n| --- | --- | --- | --- |\n${rows.join('')}`
  const text = await readFile(projectFile('README.md'), 'utf8')
  return text.replace(TIERS_TABLE, (_, start: string, end: string) => start + table + end)
}

/** Files generated from code. They are committed; `npm run generated -- --check` fails if one is not current. */
const GENERATED: Record<string, () => Promise<string>> = {
  'openapi.json': async () => `${JSON.stringify(await openApiDocument(), null, 2)}\n`,
  'warehouse/TABLES.md': async () => tableDictionary(),
  'OPERATING.md': operating,
  'README.md': readme,
}

const check = process.argv.includes('--check')
for (const [name, generate] of Object.entries(GENERATED)) {
  const current = await generate()
  const committed = await readFile(projectFile(name), 'utf8').catch(() => null)
  if (current === committed) continue
  if (check) {
    process.stderr.write(`${name} is not current; run \`npm run generated\` and commit it\n`)
    process.exitCode = 1
  } else {
    await writeWhole(projectFile(name), current)
    process.stderr.write(`wrote ${name}\n`)
  }
}

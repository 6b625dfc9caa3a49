import { readFile } from 'node:fs/promises'
import { openApiDocument } from '../api/openapi-document.ts'
import { projectFile } from '../config/paths.ts'
import { writeWhole } from '../warehouse/storage/files.ts'
import { tableDictionary } from '../warehouse/tables/dictionary.ts'

/** Files that are made from code: committed, and checked for being current by `npm run generated -- --check`. */
const GENERATED: Record<string, () => Promise<string>> = {
  'openapi.json': async () => `${JSON.stringify(await openApiDocument(), null, 2)}\n`,
  'warehouse/TABLES.md': async () => tableDictionary(),
}

const check = process.argv.includes('--check')
for (const [name, make] of Object.entries(GENERATED)) {
  const [wanted, found] = [await make(), await readFile(projectFile(name), 'utf8').catch(() => null)]
  if (wanted === found) continue
  if (check) {
    process.stderr.write(`${name} is not current; run \`npm run generated\` and commit it\n`)
    process.exitCode = 1
  } else {
    await writeWhole(projectFile(name), wanted)
    process.stderr.write(`wrote ${name}\n`)
  }
}

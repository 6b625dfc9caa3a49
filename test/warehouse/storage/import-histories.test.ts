import { createReadStream, existsSync, readdirSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createGunzip } from 'node:zlib'
import { expect, test } from 'vitest'
import { PROJECT_ROOT } from '../../../config/paths.ts'
import { importCsv } from '../../../warehouse/storage/import.ts'
import type { ImportKind } from '../../../warehouse/storage/import-sql.ts'
import { openWarehouse } from '../../../warehouse/storage/warehouse.ts'
import { EXHAUSTIVE } from '../../exhaustive.ts'
import { temporaryFolder } from '../../temporary-folder.ts'

const HISTORIES = join(PROJECT_ROOT, '..', 'shared', 'history')
const KINDS: [prefix: string, kind: ImportKind][] = [
  ['security-', 'security'],
  ['cbp-awt-', 'immigration'],
  ['tsa-throughput-', 'throughput'],
  ['tsa-daily-', 'daily_throughput'],
]
const BEGINNING_BYTES = 100_000

/** The complete lines at the beginning of a compressed file. */
async function beginningOf(file: string): Promise<string> {
  let text = ''
  for await (const chunk of createReadStream(file).pipe(createGunzip()).setEncoding('utf8')) {
    text += chunk as string
    if (text.length > BEGINNING_BYTES) break
  }
  return text.slice(0, text.lastIndexOf('\n') + 1)
}

const files = existsSync(HISTORIES)
  ? readdirSync(HISTORIES, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.csv.gz'))
  : []

test.skipIf(files.length === 0)(
  'every file of the shared histories is imported as it is',
  async () => {
    const folder = await temporaryFolder()
    const warehouse = await openWarehouse(join(folder, 'data'))
    // Everyday runs import one file of each kind.
    const kindOf = (name: string) => KINDS.find(([prefix]) => name.startsWith(prefix))?.[1]
    const selected = EXHAUSTIVE
      ? files
      : KINDS.flatMap(([, kind]) => files.filter((name) => kindOf(name) === kind).slice(0, 1))
    for (const name of selected) {
      const kind = kindOf(name)
      if (kind === undefined) throw new Error(`${name}: unknown kind of history`)
      const file = join(folder, 'beginning.csv')
      await writeFile(file, await beginningOf(join(HISTORIES, name)))
      const report = await importCsv(warehouse, file, { kind, source: `import-${name}` })
      expect([name, report.bad_rows, report.bad]).toEqual([name, 0, []])
      expect(report.new_rows, name).toBeGreaterThan(100)
    }
    await warehouse.close()
  },
  120_000,
)

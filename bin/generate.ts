import { readFile } from 'node:fs/promises'
import { projectFile } from '../config/paths.ts'
import { GB } from '../config/setting-values.ts'
import { environmentName, Settings } from '../config/settings.ts'
import { TIERS, tierTable } from '../config/tiers.ts'
import { writeWhole } from '../warehouse/storage/files.ts'
import { tableDictionary } from '../warehouse/tables/dictionary.ts'
import { openApiDocument } from './service/openapi-document.ts'
import { PROMPTS, RESOURCES, TOOLS } from './service/registry.ts'

const tableText = (columns: string[], rows: string[][]) =>
  [columns, columns.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |\n`).join('')

/** A document with a part between two marks, which is written anew. */
async function withPart(name: string, part: string): Promise<string> {
  const text = await readFile(projectFile(name), 'utf8')
  return text.replace(
    /(<!-- generated: [^\n]*\n)[\s\S]*(<!-- end -->)/,
    (_, start: string, end: string) => start + part + end,
  )
}

const withTable = (name: string, columns: string[], rows: string[][]) => withPart(name, tableText(columns, rows))

function defaultText(value: unknown): string {
  if (typeof value === 'number' && value >= GB / 2) return `\`${value}\` (${value / GB} GB)`
  const text = value instanceof Map || value === undefined ? '' : String(value)
  return text === '' ? 'none' : `\`${text}\``
}

/** Names and defaults are those of the code; what a setting means is written in the table itself. */
async function settings(): Promise<string> {
  const name = 'docs/operate/settings.md'
  const present = await readFile(projectFile(name), 'utf8')
  const rows = Object.entries(Settings.shape).map(([name, setting]) => {
    const variable = `\`${environmentName(name)}\``
    const meaning = present.match(new RegExp(`^\\| ${variable} \\| [^|]* \\| (.*) \\|$`, 'm'))?.[1] ?? ''
    return [variable, defaultText(setting.parse(undefined)), meaning]
  })
  return withTable(name, ['variable', 'default', 'meaning'], rows)
}

const tiers = () =>
  withTable(
    'docs/use/rest.md',
    ['', ...Object.values(TIERS).map(({ name }) => name)],
    tierTable().map(({ label, paths, cells }) => {
      const place = paths.length === 0 ? '' : ` (${paths.map((path) => `\`${path}\``).join(', ')})`
      return [`${label}${place}`, ...Object.values(cells)]
    }),
  )

const listing = (columns: string[], named: readonly { name: string; title: string; description: string }[]) =>
  tableText(
    columns,
    named.map(({ name, title, description }) => [`\`${name}\``, `${title}. ${description.replace(/\s+/g, ' ')}`]),
  )

const mcp = () =>
  withPart(
    'docs/use/mcp.md',
    [
      `## Tools\n\n${tableText(
        ['tool', 'for', 'key', 'picture'],
        TOOLS.map(({ name, title, query, view }) => [
          `\`${name}\``,
          title,
          query.tier === 'free' ? 'any' : TIERS[query.tier].name,
          view ? `\`${view.uri}\`` : '',
        ]),
      )}`,
      `## Resources\n\n${listing(
        ['resource', 'content'],
        RESOURCES.map((resource) => ({ ...resource, name: resource.uri })),
      )}`,
      `## Prompts\n\n${listing(['prompt', 'for'], PROMPTS)}`,
    ].join('\n'),
  )

/** Files generated from code. They are committed; `npm run generated -- --check` fails if one is not current. */
const GENERATED: Record<string, () => Promise<string>> = {
  'openapi.json': async () => `${JSON.stringify(await openApiDocument(), null, 2)}\n`,
  'warehouse/TABLES.md': async () => tableDictionary(),
  'docs/operate/settings.md': settings,
  'docs/use/rest.md': tiers,
  'docs/use/mcp.md': mcp,
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

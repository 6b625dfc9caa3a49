import { readdirSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { projectFile } from '../../config/paths.ts'
import type { DocPage } from './doc-page.ts'
import { renderMarkdown } from './markdown.tsx'

type Document = Pick<DocPage, 'path' | 'title' | 'description' | 'group' | 'isPart'> & { file: string }

/** The files of the project that are pages: each text stands once, in its file. */
const DOCUMENTS: Document[] = [
  {
    file: 'README.md',
    path: '/docs/readme',
    title: 'About Holdshort',
    description: 'What Holdshort is, how to run it, what is different here, figures, licence and credits.',
    group: 'Understand',
  },
  {
    file: 'docs/method.md',
    path: '/docs/method',
    title: 'How figures are made',
    description:
      'Where each figure comes from: measurement, reports, forecasts and estimates, their checks and their scores.',
    group: 'Understand',
  },
  {
    file: 'docs/use/README.md',
    path: '/docs/use',
    title: 'Ways to use it',
    description: 'REST, MCP, SQL, open data and notebooks: what each is for and how to begin.',
    group: 'Understand',
  },
  {
    file: 'docs/use/mcp.md',
    path: '/docs/use/mcp',
    title: 'MCP',
    description: 'Every tool, resource, prompt and picture of the MCP server, with the key that it needs.',
    group: 'Reference',
  },
  ...partsOf('use', 'Understand', ['mcp.md']),
  {
    file: 'docs/operate/README.md',
    path: '/docs/operate',
    title: 'Operating',
    description:
      'The guide for operators: the first day, backups, monitoring, models, people, money, settings, errors, upgrades, and what to do when something is wrong.',
    group: 'Operate',
  },
  ...partsOf('operate', 'Operate'),
  {
    file: 'CHANGELOG.md',
    path: '/docs/changes',
    title: 'Changes',
    description: 'What a client, an analyst or an operator can see of each release.',
    group: 'Operate',
  },
]

/** The pages of a folder below `docs/`, beside its README and those with an entry of their own: each is named by its heading and described by its parts. */
function partsOf(folder: string, group: Document['group'], own: readonly string[] = []): Document[] {
  const names = readdirSync(projectFile('docs', folder)).filter(
    (name) => name.endsWith('.md') && ![...own, 'README.md'].includes(name),
  )
  return names.map((name) => {
    const file = `docs/${folder}/${name}`
    const [title = '', ...parts] = [...readDocument(file).matchAll(/^#+ (.*)/gm)].map(([, heading = '']) => heading)
    const description = `${title}, a page of the manual of Holdshort. ${parts.join(', ')}`.trim()
    return { file, path: `/${file.replace(/\.md$/, '')}`, title, description, group, isPart: true }
  })
}

function readDocument(file: string): string {
  return readFileSync(projectFile(...file.split('/')), 'utf8')
}

/** The target of a file's link on the site: a page, another site, or null for files that only the source has. */
function linkTarget(file: string, href: string): string | null {
  if (/^[#/]/.test(href) || /^https?:\/\//.test(href)) return href
  const [address = '', anchor] = href.split('#')
  const target = posix.join(posix.dirname(file), address)
  const path =
    target === 'openapi.json' ? '/openapi.json' : DOCUMENTS.find((document) => document.file === target)?.path
  if (path === undefined) return null
  return anchor === undefined ? path : `${path}#${anchor}`
}

/** The pages that are rendered from files. */
export function documentPages(): DocPage[] {
  return DOCUMENTS.map(({ file, ...page }) => {
    const { sections, body } = renderMarkdown(readDocument(file), (href) => linkTarget(file, href))
    return { ...page, sections, body }
  })
}

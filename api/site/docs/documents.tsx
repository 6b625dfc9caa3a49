import { readFileSync } from 'node:fs'
import { projectFile } from '../../../config/paths.ts'
import type { DocPage } from './doc-page.ts'
import { renderMarkdown } from './markdown.tsx'

/** The files of the project that are pages: each text stands once, in its file. */
const DOCUMENTS = [
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
    file: 'OPERATING.md',
    path: '/docs/operating',
    title: 'Operating',
    description:
      'The guide for operators: settings, data folder, backups, training, keys, plans, monitoring, what to do when something is wrong.',
    group: 'Operate',
  },
  {
    file: 'CHANGELOG.md',
    path: '/docs/changes',
    title: 'Changes',
    description: 'What a client, an analyst or an operator can see of each release.',
    group: 'Operate',
  },
] as const

const SERVED: Record<string, string> = Object.fromEntries(DOCUMENTS.map(({ file, path }) => [file, path]))
SERVED['openapi.json'] = '/openapi.json'

/** Where a link of a file at the root leads on the site: to a page, to another site, or nowhere for files that only the source has. */
export function linkTarget(href: string): string | null {
  if (/^[#/]/.test(href) || /^https?:\/\//.test(href)) return href
  const [file = '', anchor] = href.replace(/^\.\//, '').split('#')
  const path = SERVED[file]
  if (path === undefined) return null
  return anchor === undefined ? path : `${path}#${anchor}`
}

/** The pages that are rendered from files. */
export function documentPages(): DocPage[] {
  return DOCUMENTS.map(({ file, path, title, description, group }) => {
    const { sections, body } = renderMarkdown(readFileSync(projectFile(...file.split('/')), 'utf8'), linkTarget)
    return { path, title, description, group, sections, body }
  })
}

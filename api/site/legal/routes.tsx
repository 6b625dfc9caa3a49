import { readFileSync } from 'node:fs'
import { SettingsError } from '../../../config/errors.ts'
import { projectText } from '../../../config/project-text.ts'
import { environmentName, type Settings } from '../../../config/settings.ts'
import { MarkdownBlocks } from '../docs/markdown.tsx'
import { OPEN_ROUTE } from '../pages/open-answers.ts'
import { sendOpenPage } from '../pages/open-page.tsx'
import type { AddPages } from '../pages/page-scope.tsx'

const LEGAL_PAGES = [
  { name: 'privacy', title: 'Privacy', setting: 'privacy_file', description: 'What this service stores about you.' },
  { name: 'terms', title: 'Terms', setting: 'terms_file', description: 'On what terms this service may be used.' },
  { name: 'imprint', title: 'Imprint', setting: 'imprint_file', description: 'Who runs this service.' },
] as const

/** Adds `/privacy`, `/terms` and `/imprint`: the operator's own text, or a plain one that is true of every installation. */
export const addLegalPages: AddPages = (pages, { settings }) => {
  for (const { name, title, setting, description } of LEGAL_PAGES) {
    const text = textOf(settings, setting) ?? defaultText(name, settings.contact)
    pages.get(`/${name}`, OPEN_ROUTE, (request, reply) =>
      sendOpenPage(request, reply, `/${name}`, () => ({ title, description, body: <MarkdownBlocks text={text} /> })),
    )
  }
}

const defaultText = (name: string, contact: string) =>
  projectText(`api/site/legal/${name}.md`, { contact: linkOf(contact) })

/** A contact as Markdown, which leads somewhere where it is an address. */
function linkOf(contact: string): string {
  if (/^[^\s@:/]+@[^\s@/]+$/.test(contact)) return `[${contact}](mailto:${contact})`
  return /^https?:\/\/\S+$/.test(contact) ? `[${contact}](${contact})` : contact
}

/** The operator's Markdown; null where none is set. @throws SettingsError for a file that cannot be read */
function textOf(settings: Settings, setting: (typeof LEGAL_PAGES)[number]['setting']): string | null {
  const file = settings[setting]
  if (file === undefined) return null
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new SettingsError([{ parameter: environmentName(setting), message: (error as Error).message }])
  }
}

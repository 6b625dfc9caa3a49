import { contactUri } from '../../config/contact.ts'
import { projectText } from '../../config/project-text.ts'
import { MarkdownBlocks } from '../docs/markdown.tsx'
import { OPEN_ROUTE } from '../pages/open-answers.ts'
import { sendOpenPage } from '../pages/open-page.tsx'
import type { AddPages } from '../pages/page-scope.tsx'
import { legalText } from './legal-text.ts'

const LEGAL_PAGES = [
  { name: 'privacy', title: 'Privacy', setting: 'privacy_file', description: 'What this service stores about you.' },
  { name: 'terms', title: 'Terms', setting: 'terms_file', description: 'On what terms this service may be used.' },
  { name: 'imprint', title: 'Imprint', setting: 'imprint_file', description: 'Who runs this service.' },
] as const

/** Adds `/privacy`, `/terms` and `/imprint`: the operator's own text, or a plain one that is true of every installation. */
export const addLegalPages: AddPages = (pages, { settings }) => {
  for (const { name, title, setting, description } of LEGAL_PAGES) {
    const text = legalText(settings, setting) ?? defaultText(name, settings.contact)
    pages.get(`/${name}`, OPEN_ROUTE, (request, reply) =>
      sendOpenPage(request, reply, `/${name}`, () => ({ title, description, body: <MarkdownBlocks text={text} /> })),
    )
  }
}

const defaultText = (name: string, contact: string) =>
  projectText(`site/legal/${name}.md`, { contact: `[${contact}](${contactUri(contact)})` })

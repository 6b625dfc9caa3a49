import { statSync } from 'node:fs'
import { SettingsError } from '../../config/errors.ts'
import { readNamedFile } from '../../config/named-file.ts'
import { environmentName, type Settings } from '../../config/settings.ts'

export const LEGAL_TEXT_SETTINGS = ['privacy_file', 'terms_file', 'imprint_file'] as const
export type LegalTextSetting = (typeof LEGAL_TEXT_SETTINGS)[number]

const MAX_BYTES = 1_048_576

/** The operator's Markdown; null if none is set. @throws SettingsError for a file that cannot be read, or holds no text */
export function legalText(settings: Settings, setting: LegalTextSetting): string | null {
  const file = settings[setting]
  if (file === undefined) return null
  try {
    if (!statSync(file).isFile()) throw new Error(`${file} is not a file`)
    return new TextDecoder('utf-8', { fatal: true }).decode(readNamedFile(file, MAX_BYTES))
  } catch (error) {
    const message = error instanceof TypeError ? `${file} is not UTF-8` : (error as Error).message
    throw new SettingsError([{ parameter: environmentName(setting), message: `${message}; name a Markdown file` }])
  }
}

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { projectFile } from '../../paths.ts'

/**
 * The packages that tables of a folder below `config/` are built from. They are installed in its `build/` by the command that builds the
 * tables, never with the project: they are large, and some need a newer Node.js.
 */
export const installedIn = (folder: string) => ({
  /** Loads a module of an installed package. */
  load: createRequire(projectFile('config', folder, 'build', 'package.json')),
  /** Reads a file of an installed package. */
  read: (...path: string[]): Buffer => readFileSync(projectFile('config', folder, 'build', 'node_modules', ...path)),
})

/** What the airport directory is built from, installed by `npm run airports`. */
export const { load: loadInstalled, read: readInstalled } = installedIn('airports')

/** The part of i18n-iso-countries that is used here. */
interface Countries {
  registerLocale: (locale: unknown) => void
  isValid: (code: string) => boolean
  /** The codes of three letters by those of two. */
  getAlpha2Codes(): Record<string, string>
  getName(code: string, language: string): string | undefined
  getName(code: string, language: string, options: { select: 'all' }): string[] | undefined
}

/** i18n-iso-countries (MIT), loaded when it is first needed. */
export const countries = (): Countries => loadInstalled('i18n-iso-countries')

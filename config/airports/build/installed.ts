import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { projectFile } from '../../paths.ts'

/**
 * The packages that the directory is built from are installed in this folder of the sources by `npm run airports`, never with the
 * project: they are large, and some need a newer Node.js.
 */
const FOLDER = ['config', 'airports', 'build'] as const

/** Loads a module of an installed package. */
export const loadInstalled = createRequire(projectFile(...FOLDER, 'package.json'))

/** Reads a file of an installed package. */
export const readInstalled = (...path: string[]): Buffer =>
  readFileSync(projectFile(...FOLDER, 'node_modules', ...path))

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

import { readFileSync } from 'node:fs'
import { projectFile } from '../../config/paths.ts'
import { rulesText, rulesVersions } from '../../config/time-zones/rules.ts'

/** The version of this program. In a file of its own, because the help shows it and must not wait for other code. */
export const VERSION = (JSON.parse(readFileSync(projectFile('package.json'), 'utf8')) as { version: string }).version

/** The output of `--version`: `holdshort 0.1.0 (time zone rules 2026f; Node's 2025c)`. */
export const versionText = () => `holdshort ${VERSION} (${rulesText(rulesVersions())})`

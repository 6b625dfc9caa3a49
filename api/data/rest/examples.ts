import { readFileSync } from 'node:fs'
import { projectFile } from '../../../config/paths.ts'

/** An answer of each operation, by the name of its schema. A test holds that each is valid. */
export const ANSWER_EXAMPLES: Record<string, object> = JSON.parse(
  readFileSync(projectFile('api', 'data', 'rest', 'examples.json'), 'utf8'),
)

/** The beginning of each text answer, by operation. */
export const TEXT_EXAMPLES: Record<string, string> = {
  getLlmsIndex: '# Holdshort\n\n> Airport security waits, FAA delays, hourly predictions and history…',
  getLlmsFull: '# Holdshort, the whole of it\n\n> Airport security waits, FAA delays, hourly predictions and history…',
}

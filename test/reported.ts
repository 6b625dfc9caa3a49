import { readFileSync } from 'node:fs'
import { projectFile } from '../config/paths.ts'

/** A small input that shows a fault which people reported of work like this; made for these tests. */
export const reported = (file: string): string => readFileSync(projectFile('test', 'reported', file), 'utf8')

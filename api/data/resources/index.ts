import { coverageResource } from './coverage.ts'
import type { Resource } from './define.ts'
import { sourcesResource } from './sources.ts'
import { tablesResource } from './tables.ts'

/** Every resource of the MCP server. Adding one is a file here and a line in this list. */
export const RESOURCES: readonly Resource[] = [coverageResource, sourcesResource, tablesResource]

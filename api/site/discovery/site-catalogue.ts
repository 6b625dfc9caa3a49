import type { Prompt } from '../../data/prompts/define.ts'
import type { Query } from '../../data/queries/define.ts'
import type { Resource } from '../../data/resources/define.ts'
import type { Tool } from '../../data/tools/define.ts'
import type { Skill } from './skills/define.ts'

/** What the discovery documents describe. */
export interface SiteCatalogue {
  queries: readonly Query[]
  tools: readonly Tool[]
  resources: readonly Resource[]
  prompts: readonly Prompt[]
  skills: readonly Skill[]
}

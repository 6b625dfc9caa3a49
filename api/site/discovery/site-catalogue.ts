import type { McpCatalogue } from '../../data/mcp/catalogue.ts'
import type { Query } from '../../data/queries/define.ts'
import type { Skill, SkillCatalogue } from './skills/define.ts'

/** Everything that the discovery documents describe. */
export interface SiteCatalogue extends SkillCatalogue {
  queries: readonly Query[]
  skills: readonly Skill[]
  /** The tools, prompts and resources as the MCP server lists them. */
  mcp: McpCatalogue
}

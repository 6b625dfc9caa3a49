import type { Query } from '../../answers/questions/define.ts'
import type { McpCatalogue } from '../../api/mcp/catalogue.ts'
import type { SkillCatalogue } from './skills.ts'

/** Everything that the discovery documents describe. */
export interface SiteCatalogue extends SkillCatalogue {
  queries: readonly Query[]
  /** The tools, prompts and resources as the MCP server lists them. */
  mcp: McpCatalogue
}

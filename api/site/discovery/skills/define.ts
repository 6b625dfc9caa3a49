import type { Addresses } from '../../../../config/settings.ts'
import type { Prompt } from '../../../data/prompts/define.ts'
import type { Resource } from '../../../data/resources/define.ts'
import type { Tool } from '../../../data/tools/define.ts'

/** What a skill may name of the MCP server. */
export interface SkillCatalogue {
  tools: readonly Tool[]
  resources: readonly Resource[]
  prompts: readonly Prompt[]
}

/** What an agent can learn to do here, as a text of its own. */
export interface Skill {
  /** Small letters and hyphens, the name of its folder too. */
  name: string
  /** What it does and when to use it, under 1,024 characters. */
  description: string
  /** Markdown, from its one heading of the first level on. */
  body: (places: Addresses, catalogue: SkillCatalogue) => string
}

/** Where a skill is served, from the root of the site. */
export const skillPath = ({ name }: Skill) => `/.well-known/agent-skills/${name}/SKILL.md`

/** The SKILL.md of a skill. */
export function skillFile({ name, description, body }: Skill, places: Addresses, catalogue: SkillCatalogue): string {
  // A JSON string is a YAML string, whatever it holds.
  return `---\nname: ${name}\ndescription: ${JSON.stringify(description)}\n---\n\n${body(places, catalogue)}`
}

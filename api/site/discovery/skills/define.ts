import type { Addresses } from '../../../../config/settings.ts'
import type { Prompt } from '../../../data/prompts/define.ts'
import type { Resource } from '../../../data/resources/define.ts'
import type { Tool } from '../../../data/tools/define.ts'

/** The parts of the MCP server that a skill may refer to. */
export interface SkillCatalogue {
  tools: readonly Tool[]
  resources: readonly Resource[]
  prompts: readonly Prompt[]
}

/** Instructions for agents on one task, served as a SKILL.md file. */
export interface Skill {
  /** Lower-case letters and hyphens; the name of its folder too. */
  name: string
  /** What it does and when to use it, under 1,024 characters. */
  description: string
  /** The Markdown text; it begins with its only first-level heading. */
  body: (addresses: Addresses, catalogue: SkillCatalogue) => string
}

/** The path that a skill is served under. */
export const skillPath = ({ name }: Skill) => `/.well-known/agent-skills/${name}/SKILL.md`

/** The whole SKILL.md of a skill: front matter and body. */
export function skillFile({ name, description, body }: Skill, addresses: Addresses, catalogue: SkillCatalogue): string {
  // Every JSON string is a valid YAML string.
  return `---\nname: ${name}\ndescription: ${JSON.stringify(description)}\n---\n\n${body(addresses, catalogue)}`
}

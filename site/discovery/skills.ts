import type { Prompt } from '../../api/prompts/define-prompt.ts'
import type { Resource } from '../../api/resources/resources.ts'
import type { Tool } from '../../api/tools/define.ts'
import type { Addresses } from '../../config/addresses.ts'
import { provenance } from '../../config/answer-schemas.ts'
import { projectText } from '../../config/project-text.ts'
import { TIERS } from '../../config/tiers.ts'

/** The parts of the MCP server that a skill may refer to. */
export interface SkillCatalogue {
  tools: readonly Tool[]
  resources: readonly Resource[]
  prompts: readonly Prompt[]
}

/** Instructions for agents on one task: a Markdown file of `skills/`, served as SKILL.md. Its name is that of the file. */
export const SKILLS = [
  'read-waits-over-rest',
  'use-the-mcp-server',
  'plan-a-departure',
  'cross-the-schengen-border',
  'read-figures-honestly',
] as const

/** One line per MCP tool: name, title and tier. */
export const toolLines = (tools: readonly Tool[]) =>
  tools.map(({ name, title, query }) => `- ${name}: ${title} (${TIERS[query.tier].name})`)

/** The path that a skill is served under. */
export const skillPath = (name: string) => `/.well-known/agent-skills/${name}/SKILL.md`

/** The whole SKILL.md of a skill: front matter and body. */
export function skillFile(name: string, addresses: Addresses, { tools, resources, prompts }: SkillCatalogue): string {
  const { basis, observed_at, freshness } = provenance
  return projectText(`site/discovery/skills/${name}.md`, {
    ...addresses,
    basis: basis.description ?? '',
    observed_at: observed_at.description ?? '',
    freshness: freshness.description ?? '',
    pro: TIERS.pro.name,
    enterprise: TIERS.enterprise.name,
    tools: toolLines(tools).join('\n'),
    prompts: prompts.map((prompt) => prompt.name).join(', '),
    resources: resources.map(({ uri }) => uri).join(', '),
  })
}

/** The parts of a SKILL.md: what its front matter says, and its text, which begins with its only first-level heading. */
export function skillParts(file: string): { description: string; body: string } {
  const [, description = '""', body = ''] = /^---\nname: .*\ndescription: (.*)\n---\n\n([\s\S]*)$/.exec(file) ?? []
  // Every JSON string is a valid YAML string.
  return { description: JSON.parse(description), body }
}

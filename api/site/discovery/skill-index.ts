import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { Addresses } from '../../../config/addresses.ts'
import type { SiteCatalogue } from './site-catalogue.ts'
import { SKILLS, skillFile, skillParts, skillPath } from './skills.ts'

const SCHEMA = 'https://schemas.agentskills.io/discovery/0.2.0/schema.json'

/** The index of skills in the form of the Agent Skills discovery draft 0.2.0. */
export const SkillIndex = z
  .strictObject({
    $schema: z.literal(SCHEMA),
    skills: z.array(
      z.strictObject({
        name: z.string(),
        type: z.literal('skill-md'),
        description: z.string(),
        url: z.url(),
        digest: z
          .string()
          .regex(/^sha256:[0-9a-f]{64}$/)
          .describe('SHA-256 of the bytes at `url`, before any compression.'),
      }),
    ),
  })
  .meta({ id: 'SkillIndex' })

/** Builds the index of the skills. */
export function skillIndex(catalogue: SiteCatalogue, addresses: Addresses): z.output<typeof SkillIndex> {
  const skills = SKILLS.map((name) => {
    const file = skillFile(name, addresses, catalogue)
    return {
      name,
      type: 'skill-md' as const,
      description: skillParts(file).description,
      url: addresses.site_url + skillPath(name),
      digest: `sha256:${createHash('sha256').update(file).digest('hex')}`,
    }
  })
  return { $schema: SCHEMA, skills }
}

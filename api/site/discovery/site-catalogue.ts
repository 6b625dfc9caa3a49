import type { Query } from '../../data/queries/define.ts'
import type { Skill, SkillCatalogue } from './skills/define.ts'

/** Everything that the discovery documents describe. */
export interface SiteCatalogue extends SkillCatalogue {
  queries: readonly Query[]
  skills: readonly Skill[]
}

import { crossTheSchengenBorder } from './cross-the-schengen-border.ts'
import type { Skill } from './define.ts'
import { planADeparture } from './plan-a-departure.ts'
import { readFiguresHonestly } from './read-figures-honestly.ts'
import { readWaitsOverRest } from './read-waits-over-rest.ts'
import { useTheMcpServer } from './use-the-mcp-server.ts'

/** Every skill that is served. Adding one is a file here and a line in this list. */
export const SKILLS: readonly Skill[] = [
  readWaitsOverRest,
  useTheMcpServer,
  planADeparture,
  crossTheSchengenBorder,
  readFiguresHonestly,
]

import { checkSchengenStayPrompt } from './check-schengen-stay.ts'
import { chooseAirportPrompt } from './choose-airport.ts'
import type { Prompt } from './define.ts'
import { planDeparturePrompt } from './plan-departure.ts'

/** Every prompt of the MCP server. Adding one is a file here and a line in this list. */
export const PROMPTS: readonly Prompt[] = [planDeparturePrompt, chooseAirportPrompt, checkSchengenStayPrompt]

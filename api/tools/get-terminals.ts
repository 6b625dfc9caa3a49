import { getTerminals, type Terminals } from '../../answers/questions/get-terminals.ts'
import { terminalsText } from '../../answers/texts/terminals-text.ts'
import { defineTool } from './define.ts'

export const getTerminalsTool = defineTool<Terminals>({
  name: 'get_terminals',
  title: 'Terminals, their airlines and checkpoints',
  description:
    'Terminals of an airport: main airlines, security checkpoints and lanes, each with source and date. Use it to find where an airline checks in. From dated pages of 60 large airports, wait feeds and OpenStreetMap (unchecked, with credit); never complete. For waits use get_security_wait_estimate. The boarding pass overrides it.',
  topics: ['terminal', 'checkpoint'],
  example: { iata: 'JFK' },
  query: getTerminals,
  limits: { 'map_terminals.places': 4, 'terminals.checkpoints': 3, terminals: 5 },
  text: terminalsText,
})

import { getHistorical, type History } from '../../answers/questions/get-historical.ts'
import { HistoryBrief, historyBrief, historyText } from '../../answers/texts/history-text.ts'
import { defineTool } from './define.ts'

export const getHistoricalWaitTimesTool = defineTool<History, HistoryBrief>({
  name: 'get_historical_wait_times',
  title: 'What security waits are usual (7 or 90 days)',
  description:
    'What was observed at an airport’s security: usual wait, quietest and busiest hours, pattern of the week, the last days against usual, trend. Use it for what is usual there or was yesterday; for future waits use get_wait_time_predictions. `detail: "full"` lists every observed hour. Pro: 7 days; Enterprise: 90 days with terminals.',
  topics: ['history'],
  example: { iata: 'JFK', days: 7 },
  query: getHistorical,
  brief: { output: HistoryBrief, shorten: historyBrief },
  limits: { terminals: 6, week: 7 },
  pages: { list: 'hours', rows: 120 },
  text: historyText,
})

import { z } from 'zod'
import * as c from './columns.ts'
import { column, defineTable } from './define.ts'

const minutes = (meaning: string) => column(z.number().min(0), meaning)

/** Forecasts that somebody else made. */
export const outsideForecasts = defineTable({
  name: 'outside_forecasts',
  about:
    'Forecasts of security waits that were made elsewhere and imported: contenders, which serve an airport only while they are clearly better than its own model.',
  owner: 'training',
  retention: 'forecasts',
  columns: {
    forecaster: c.text('Name of the forecaster, as the import gave it.'),
    iata: c.iata,
    issued_at: c.issued_at,
    valid_at: c.valid_at,
    p10: minutes('10th percentile of the hourly mean wait of the airport, minutes.'),
    p50: minutes('Median, minutes.'),
    p90: minutes('90th percentile, minutes.'),
    available_at: c.instant('When it was first imported. Only hours that began later count in the contest.'),
  },
  key: ['forecaster', 'iata', 'issued_at', 'valid_at'],
  sort: ['forecaster', 'iata', 'issued_at', 'valid_at'],
  age: 'issued_at',
  local: 'valid_at',
})

import { levelIn } from '../parsing/posted-waits.ts'
import { byQueue, type Check } from './define-check.ts'

/** Notes levels ("low") where minutes should be. They are never converted to minutes, because nobody measured any. One notice per queue. */
export const levelWithoutMinutes: Check = {
  code: 'level_without_minutes',
  run: (rows) =>
    byQueue(rows).flatMap(({ iata, kind, lanes }) => {
      const levels = lanes.flatMap(({ row }) => {
        const wait = row.wait_minutes ?? row.wait_minutes_low ?? row.wait_minutes_high
        return wait === null ? (levelIn(row.wait_text) ?? []) : []
      })
      if (levels.length === 0) return []
      const message = 'Levels have no minutes; they are kept as text.'
      const value = levels.join(', ').slice(0, 200)
      return [{ code: 'level_without_minutes', severity: 'info', path: kind, value, message, iata }]
    }),
}

import { DAY_MS, isoUtc, utcDayOf } from '../../../config/vocabulary.ts'
import type { ScreenedContent } from '../read/screened.ts'
import { defineGathered } from './define-gathered.ts'

/** A year before the newest known weeks. */
const DAYS = 430

export const gatherScreened = defineGathered({
  async gather({ warehouse, now }): Promise<ScreenedContent> {
    const rows = await warehouse.query<{ country: string; day: string; passengers: number }>(
      `SELECT left(area, 2) AS country, strftime(day, '%Y-%m-%d') AS day, passengers::DOUBLE AS passengers FROM daily_throughput
       WHERE date >= $from AND area LIKE '%-ALL' AND available_at <= $now::TIMESTAMPTZ
       QUALIFY row_number() OVER (PARTITION BY area, day ORDER BY available_at DESC, source) = 1 ORDER BY area, day`,
      { from: utcDayOf(now - DAYS * DAY_MS), now: isoUtc(now) },
    )
    const screened: ScreenedContent['screened'] = {}
    for (const { country, day, passengers } of rows) screened[country] = { ...screened[country], [day]: passengers }
    return { screened }
  },
})

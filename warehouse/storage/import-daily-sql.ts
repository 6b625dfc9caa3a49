import { identifier, text } from './duckdb.ts'

/** SELECT that types raw rows of one figure a day, and says of each what is wrong with it (`fault` is null for a good row). */
export function typedDaysSelect(from: string, airports: string[], lagHours: number, now: string): string {
  return `
  WITH typed AS (
    SELECT line, upper(trim(airport)) AS area, observed_local AS day_word, TRY_CAST(trim(observed_local) AS DATE) AS day,
      passengers AS passengers_word, TRY_CAST(nullif(trim(passengers), '') AS DOUBLE) AS n_passengers
    FROM (${from})
  )
  SELECT line, area, n_passengers, timezone('UTC', day::TIMESTAMP) AS day, timezone('UTC', day + INTERVAL 1 DAY) + INTERVAL ${lagHours} HOUR AS available_at, CASE
    WHEN area IS NULL OR NOT (regexp_full_match(area, '[A-Z]{2}-ALL') OR area IN (SELECT unnest([${airports.map(text).join(', ')}]::VARCHAR[])))
      THEN 'airport: "' || coalesce(area, '') || '" is neither in the directory nor a country as a whole (US-ALL)'
    WHEN day IS NULL THEN 'observed_local: "' || coalesce(day_word, '') || '" is not a date'
    WHEN day > ${text(now.slice(0, 10))}::DATE + 1 THEN 'observed_local: ' || day_word || ' is in the future'
    WHEN n_passengers IS NULL OR n_passengers < 0 THEN 'passengers: "' || coalesce(passengers_word, '') || '" must be a count of 0 or more'
    END AS fault
  FROM typed`
}

/** SELECT of good rows as the table `daily_throughput` has them. */
export function dailyThroughputSelect(from: string, source: string, captureId: string): string {
  return `SELECT ${text(source)} AS source, area, day, n_passengers::INTEGER AS passengers, available_at, ${text(captureId)} AS capture_id
  FROM ${identifier(from)} WHERE fault IS NULL`
}

/** A view of `holdshort query` that answers one question. Its columns are named as in every table and file, and as in the history of the API: `iata`, `mean`, `p90`. */
interface Question {
  name: string
  question: string
  about: string
  columns: Record<string, { type: string; meaning: string }>
  sql: string
}

export const column = (type: string, meaning: string) => ({ type, meaning })
const MINUTES_DECIMALS = 1

const hoursOf = (kind: 'security' | 'immigration', question: string): Question => ({
  name: `${kind}_hours`,
  question,
  about:
    'One row an observed hour of a whole airport. Every passenger counts once: no row is of a terminal, a checkpoint, another lane or another kind of queue.',
  columns: {
    iata: column('VARCHAR', 'IATA code.'),
    city: column('VARCHAR', 'City that the airport serves.'),
    country: column('VARCHAR', 'ISO 3166-1 alpha-2 code.'),
    time: column('TIMESTAMPTZ', 'Start of the UTC hour.'),
    local_time: column('TIMESTAMP', '`time` on the clocks of the airport.'),
    local_hour: column('INTEGER', 'Hour of `local_time`, 0 to 23.'),
    local_weekday: column('INTEGER', 'Day of `local_time`, 1 (Monday) to 7 (Sunday).'),
    mean: column('DOUBLE', 'Mean wait in minutes.'),
    p50: column('DOUBLE', 'Median wait in minutes.'),
    p90: column('DOUBLE', '90th percentile of the wait in minutes.'),
    max: column('DOUBLE', 'Largest wait in minutes.'),
    samples: column('INTEGER', 'Readings that the figures rest on.'),
    source: column('VARCHAR', 'Sources that were used, joined by `+`.'),
    date: column('DATE', 'UTC day; filter by it to read less.'),
  },
  sql: `SELECT r.iata, a.city, a.country, r.hour AS time, r.local_time, r.local_hour, r.local_weekday,
      ${['mean', 'p50', 'p90', 'max'].map((name) => `round(r.${name}, ${MINUTES_DECIMALS}) AS ${name}`).join(', ')},
      r.samples, r.source, r.date
    FROM rollups r LEFT JOIN airports a USING (iata)
    WHERE r.kind = '${kind}' AND r.level = 'airport'`,
})

/** A programme that is listed again after a longer time is another one; one that a newer run no longer lists is over. */
const MAX_GAP = 'INTERVAL 1 HOUR'

/** The views that an analyst begins with. */
export const QUESTIONS: readonly Question[] = [
  hoursOf('security', 'How long were the queues at security, hour by hour?'),
  hoursOf('immigration', 'How long were the queues at passport control, hour by hour?'),
  {
    name: 'delay_programs',
    question: 'Which ground stops, ground delays and closures were there, from when until when?',
    about:
      'One row a programme or closure of the FAA. A programme that was listed again after more than an hour is another one.',
    columns: {
      iata: column('VARCHAR', 'IATA code; null for airspace flow programmes.'),
      faa_id: column('VARCHAR', "The FAA's own id."),
      program: column('VARCHAR', 'ground_stop, ground_delay and so on, or `closure`.'),
      started_at: column('TIMESTAMPTZ', 'Its published start; where none is published, when it was first listed.'),
      ended_at: column(
        'TIMESTAMPTZ',
        'When it was last listed; null while it is in force. An hour without the source decides nothing.',
      ),
      expected_end_at: column('TIMESTAMPTZ', 'The end that was published last; null where none was.'),
      revisions: column('BIGINT', 'How often its reason, minutes, trend or times were changed.'),
      reason: column('VARCHAR', 'The reason that was published last.'),
      average_minutes: column('DOUBLE', 'The average delay that was published last.'),
      max_minutes: column('DOUBLE', 'The largest upper end of its delay band.'),
      source: column('VARCHAR', 'Id of the source.'),
    },
    sql: `WITH listed AS (
        SELECT *, lag(observed_at) OVER listings AS listed_before,
          lag((reason, average_minutes, min_minutes, max_minutes, trend, "start", "end")) OVER listings
            IS DISTINCT FROM (reason, average_minutes, min_minutes, max_minutes, trend, "start", "end") AS is_changed
        FROM delays WINDOW listings AS (PARTITION BY source, faa_id, type ORDER BY observed_at, fetched_at)
      ), numbered AS (
        SELECT *, count(*) FILTER (listed_before IS NULL OR observed_at - listed_before > ${MAX_GAP})
          OVER (PARTITION BY source, faa_id, type ORDER BY observed_at, fetched_at) AS number
        FROM listed
      ), answered AS (
        SELECT source, max(finished_at) AS at FROM runs WHERE outcome <> 'failed' GROUP BY source
      )
      SELECT arg_max(iata, observed_at) AS iata, faa_id, type AS program,
        coalesce(arg_min("start", observed_at), min(observed_at)) AS started_at,
        CASE WHEN any_value(answered.at) - max(observed_at) > ${MAX_GAP} THEN max(observed_at) END AS ended_at,
        arg_max("end", observed_at) AS expected_end_at,
        count(*) FILTER (is_changed) - 1 AS revisions,
        arg_max(reason, observed_at) AS reason,
        round(arg_max(average_minutes, observed_at), ${MINUTES_DECIMALS}) AS average_minutes,
        round(max(max_minutes), ${MINUTES_DECIMALS}) AS max_minutes, source
      FROM numbered LEFT JOIN answered USING (source)
      GROUP BY source, faa_id, type, number`,
  },
]

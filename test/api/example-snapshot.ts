import type { Provenance } from '../../config/answer-schemas.ts'
import { HOUR_MS, isoUtc } from '../../config/vocabulary.ts'
import {
  type FakeSnapshotContent,
  fakeSnapshot,
  forecastFrom,
  historyOf,
  measured,
  UNSUPPORTED,
} from './fake-snapshot.ts'

/** Saturday 21 November 2026, 14:20 UTC: 09:20 in New York, 19:50 in Delhi. */
export const NOW = Date.parse('2026-11-21T14:20:00Z')
export const THIS_HOUR = Math.floor(NOW / HOUR_MS) * HOUR_MS

const faa: Provenance = {
  basis: 'measured',
  observed_at: isoUtc(NOW - 60_000),
  age_seconds: 60,
  source: 'faa-nas',
  freshness: 'live',
}

/** The content of the example snapshot: JFK has every fact, LGA only delays, the other airports nothing. */
export function exampleContent(over: FakeSnapshotContent = {}): FakeSnapshotContent {
  const observed = Array.from({ length: 48 }, (_, back) => THIS_HOUR - (48 - back) * HOUR_MS)
  return {
    queues: { 'JFK security': measured(NOW, 14) },
    forecasts: [forecastFrom('JFK', THIS_HOUR), forecastFrom('JFK', THIS_HOUR, 'T4')],
    history: [historyOf('JFK', observed, () => 125), historyOf('JFK', observed, () => 80, 'T4')],
    delays: {
      JFK: {
        supported: true,
        status: 'ground_delay',
        unavailable_reason: null,
        ...faa,
        programs: [
          {
            type: 'ground_delay',
            reason: 'WX:Wind',
            average_minutes: 42.4,
            min_minutes: 16,
            max_minutes: null,
            trend: 'increasing',
            destination: null,
            start: null,
            end: '2026-11-21T20:00:00Z',
          },
        ],
        closures: [],
      },
      LGA: { supported: true, status: 'normal', unavailable_reason: null, programs: [], closures: [], ...faa },
      GRU: UNSUPPORTED,
    },
    flowPrograms: [
      {
        faa_id: 'FCAA05',
        type: 'airspace_flow',
        reason: 'weather',
        average_minutes: 20,
        min_minutes: null,
        max_minutes: null,
        trend: null,
        destination: null,
        start: null,
        end: null,
      },
    ],
    weather: {
      KJFK: {
        icao: 'KJFK',
        observed_at: isoUtc(NOW - 1_800_000),
        flight_category: 'VFR',
        wind_direction_deg: 310,
        wind_kt: 18,
        wind_gust_kt: 27,
        visibility_sm: 10,
        visibility_bound: 'at_least',
        ceiling_ft: null,
        ceiling_known: true,
        temperature_c: 6,
        dewpoint_c: -3,
        weather: null,
        raw: 'KJFK 211351Z 31018G27KT 10SM FEW050 06/M03 A3002',
        source: 'awc-metar',
        age_seconds: 1_800,
        freshness: 'recent',
      },
    },
    tafs: {
      KJFK: {
        icao: 'KJFK',
        issued_at: '2026-11-21T11:20:00Z',
        valid_from: '2026-11-21T12:00:00Z',
        valid_to: '2026-11-22T18:00:00Z',
        raw: 'TAF KJFK 211120Z 2112/2218 31015KT P6SM FEW050',
        source: 'awc-taf',
        periods: [
          {
            from: '2026-11-21T12:00:00Z',
            to: '2026-11-22T18:00:00Z',
            change: null,
            probability: null,
            flight_category: 'VFR',
            wind_direction_deg: 310,
            wind_kt: 15,
            wind_gust_kt: null,
            visibility_sm: 6,
            visibility_bound: 'more_than',
            ceiling_ft: null,
            ceiling_known: true,
            weather: null,
          },
          {
            from: '2026-11-21T20:00:00Z',
            to: '2026-11-21T23:00:00Z',
            change: 'PROB',
            probability: 30,
            flight_category: 'IFR',
            wind_direction_deg: null,
            wind_kt: null,
            wind_gust_kt: null,
            visibility_sm: 2,
            visibility_bound: null,
            ceiling_ft: 800,
            ceiling_known: true,
            weather: '-SN',
          },
        ],
      },
    },
    coverage: { JFK: { live: true, sources: ['panynj'] }, LGA: { live: false, sources: ['panynj'] } },
    ...over,
  }
}

let changed = 0

/** The example snapshot, generated at an instant (epoch ms). One with other content has an id of its own, because pages are kept by it. */
export const snapshotAt = (generatedMs = NOW, over?: FakeSnapshotContent) =>
  fakeSnapshot(generatedMs, exampleContent(over && { id: `changed-${++changed}`, ...over }))

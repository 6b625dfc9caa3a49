import { groupBy } from '../../../config/group-by.ts'
import { arrowColumns, readArrowFile, viewsOf } from './arrow.ts'
import { definePublished } from './define-published.ts'

/** Observed hours of one airport or terminal, ascending; only hours that have readings. Minutes in tenths. */
export interface HistorySeries {
  iata: string
  /** Empty for the airport as a whole. */
  terminal: string
  /** Whole hours since the epoch. */
  hour: Int32Array
  mean: Int16Array
  p50: Int16Array
  p90: Int16Array
  max: Int16Array
  samples: Int32Array
  /** The sources of each hour, as an index into `sources`. */
  source: Uint16Array
  /** Ids of sources; those of one hour are joined by `+`. */
  sources: string[]
}

export interface HistoryContent {
  history: HistorySeries[]
}

export interface HistoryIndex {
  /** History by `<IATA>/<terminal>`. */
  historyByPlace: ReadonlyMap<string, HistorySeries>
  /** The series of the terminals of an airport. */
  historyOfTerminals: ReadonlyMap<string, HistorySeries[]>
}

export const history = definePublished({
  async decode(files) {
    const spans = await files.json<SeriesSpan[]>('history.json')
    const table = readArrowFile(await files.bytes('history.arrow'))
    return { history: seriesViews(spans, arrowColumns<HistoryColumns>(table, HISTORY_COLUMNS)) }
  },
  index: ({ history: series }: HistoryContent): HistoryIndex => ({
    historyByPlace: new Map(series.map((place) => [`${place.iata}/${place.terminal}`, place])),
    historyOfTerminals: groupBy(
      series.filter(({ terminal }) => terminal !== ''),
      ({ iata }) => iata,
    ),
  }),
  read: ({ historyByPlace, historyOfTerminals }: HistoryIndex) => ({
    history: (iata: string, terminal = '') => historyByPlace.get(`${iata}/${terminal}`) ?? null,
    historyTerminals: (iata: string) => historyOfTerminals.get(iata)?.map(({ terminal }) => terminal) ?? [],
  }),
})

export const HISTORY_COLUMNS = ['hour', 'mean', 'p50', 'p90', 'max', 'samples', 'source'] as const
type HistoryColumns = Pick<HistorySeries, (typeof HISTORY_COLUMNS)[number]>
/** A series in the file: its hours follow those of the series before it. */
type SeriesSpan = Pick<HistorySeries, 'iata' | 'terminal' | 'sources'> & { length: number }

/** Each series as views of the joined columns; nothing is copied. */
function seriesViews(spans: readonly SeriesSpan[], columns: HistoryColumns): HistorySeries[] {
  let end = 0
  return spans.map(({ iata, terminal, length, sources }) => {
    const start = end
    end = start + length
    return { iata, terminal, sources, ...viewsOf(columns, HISTORY_COLUMNS, start, end) }
  })
}

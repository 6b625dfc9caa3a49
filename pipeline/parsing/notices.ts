import { type Notice, notice } from '../../warehouse/tables/notices.ts'

/** Reports notices about one part of a payload: each notice gets the path of the part and its airport. */
export class NoticeReporter {
  readonly path: string
  iata: string | null
  /** All notices about the payload, of every part. */
  readonly notices: Notice[]

  constructor(path: string, iata: string | null, notices: Notice[]) {
    this.path = path
    this.iata = iata
    this.notices = notices
  }

  /** The reporter for a field of this part (by name) or for a row of it (by index). */
  at(step: string | number): NoticeReporter {
    return new NoticeReporter(this.pathTo(step), this.iata, this.notices)
  }

  /** The same part of the payload, about another airport. */
  about(iata: string | null): NoticeReporter {
    return new NoticeReporter(this.path, iata, this.notices)
  }

  /** Adds a notice of severity info. Returns null, so that a reader can report and return in one statement. */
  info(code: string, message: string, value: unknown = null): null {
    this.notices.push(notice(code, 'info', this.path, message, value, this.iata))
    return null
  }

  /** Adds a notice of severity warning. Returns null, so that a reader can report and return in one statement. */
  warning(code: string, message: string, value: unknown = null): null {
    this.notices.push(notice(code, 'warning', this.path, message, value, this.iata))
    return null
  }

  protected pathTo(step: string | number): string {
    if (typeof step === 'number') return `${this.path}[${step}]`
    if (/^\[\d*\]/.test(step)) return `${this.path}${step}`
    return this.path === '$' ? step : `${this.path}.${step}`
  }
}

/** Reports a row that is not an object, or that lacks the name of its queue. */
export function reportUnreadableRow(row: unknown, report: NoticeReporter): null {
  return report.warning('row_unreadable', 'The row is not an object, or it does not name its queue.', row)
}

/** Reports a queue of unknown purpose. Its row is left out, so that it is not counted as another kind of queue. */
export function reportUnknownQueue(word: unknown, report: NoticeReporter): null {
  return report.warning('queue_unknown', 'The purpose of this queue is unknown; its row is left out.', word)
}

/** Reports, once for a whole payload, that some rows hold a filler value of the source instead of a wait. */
export function reportFillers(count: number, report: NoticeReporter): void {
  if (count > 0) report.info('filler_value', 'Rows hold a filler value; they land without a wait.', count)
}

/** Reports that the source itself calls its number out of date. */
export function reportStale(value: unknown, report: NoticeReporter): null {
  return report.info('source_says_stale', 'The source calls its own number out of date.', value)
}

/** Reports a number that the source uses for "not known". */
export function reportSentinel(value: unknown, report: NoticeReporter): null {
  return report.info('sentinel_value', 'The number stands for "not known".', value)
}

/** Reports that a payload is about another airport than the one that was requested. */
export function reportUnexpectedAirport(value: unknown, report: NoticeReporter): null {
  return report.warning('airport_unexpected', 'The payload is about an airport that was not requested.', value)
}

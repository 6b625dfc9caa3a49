import { sourceNetwork } from '../gate/source-network.ts'
import { REPORT_RULES } from './report-rules.ts'

/**
 * The network of a reporter: the first 24 bits of an IPv4 address, the first 48 of an IPv6 address. It is wider than the address
 * that registrations are counted by: rented addresses are often neighbours, and one home gets up to a /48 (RFC 6177). Null if the
 * address is not known.
 */
export function reporterNetwork(address: string | null): string | null {
  if (address === null) return null
  const network = sourceNetwork(address)
  if (network.includes(':')) return `${network.split(':', 3).join(':')}::/48`
  const bytes = network.split('.')
  return bytes.length === 4 ? `${bytes.slice(0, 3).join('.')}.0/24` : null
}

/** The known details of the reporter. */
export interface Reporter {
  account_id: string
  terminal: string | null
  network_hash: string | null
  filed_at: string
  /** When the account was made. */
  created_at: string
}

/** Whether the account of a report was a day old when it filed it, so that it may confirm others. */
export const isEstablished = ({ filed_at, created_at }: Pick<Reporter, 'filed_at' | 'created_at'>): boolean =>
  Date.parse(filed_at) - Date.parse(created_at) >= REPORT_RULES.established_ms

/**
 * One report of each traveller: an account, and a network, has one voice. Travellers who share a network (that of an agent) and stand at
 * different terminals have one each, unless their accounts are new. Accounts that were a day old come first, then the newest. A report
 * that has no voice takes none from another network, so that nobody silences others by reporting from many.
 */
export function oneOfEach<Report extends Reporter & { observed_at: string }>(reports: readonly Report[]): Report[] {
  const taken = new Set<string>()
  return reports.toSorted(byRank).filter((report) => {
    const { account_id, network_hash, terminal } = report
    const places = network_hash === null ? [] : [isEstablished(report) ? `${network_hash} ${terminal}` : network_hash]
    const names = [account_id, ...places]
    if (names.some((name) => taken.has(name))) return false
    for (const name of names) taken.add(name)
    return true
  })
}

function byRank(a: Reporter & { observed_at: string }, b: Reporter & { observed_at: string }): number {
  const ageOrder = Number(isEstablished(b)) - Number(isEstablished(a))
  return ageOrder === 0 ? Date.parse(b.observed_at) - Date.parse(a.observed_at) : ageOrder
}

/** How many travellers confirm a wait: those of accounts that are a day old and of a known network. */
export const confirming = (reports: readonly (Reporter & { observed_at: string })[]): number =>
  oneOfEach(reports.filter((report) => isEstablished(report) && report.network_hash !== null)).length

/** The reports that the figure of a queue is the median of: new accounts have no voice beside older ones. */
export function countedReports<Report extends Reporter & { observed_at: string }>(
  reports: readonly Report[],
): Report[] {
  const voices = oneOfEach(reports)
  const established = voices.filter(isEstablished)
  return established.length > 0 ? established : voices
}

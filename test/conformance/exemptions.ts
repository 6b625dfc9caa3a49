import { readCases } from '../values.ts'

/** Scenarios that do not pass, and why they do not apply to this server. */
export interface Exemption {
  reason: string
  scenarios: string[]
  /** Only in these runs; in all others the scenario must pass. */
  runs?: string[]
  /** Only these checks; all others of the scenario must pass. */
  checks?: string[]
  /** The suite reports it as passed, but only because its own tool was rejected: it is not counted. */
  vacuous?: true
}

export const EXEMPTIONS = readCases<Exemption[]>('conformance/exemptions.json')

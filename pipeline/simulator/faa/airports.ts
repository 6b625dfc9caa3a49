import { type Airport, airportDirectory } from '../../../config/airports/directory.ts'

/** The airports whose traffic the simulated FAA manages (FAA ids), with their en-route centers. */
const CENTERS: Record<string, string> = {
  ATL: 'ZTL',
  BOS: 'ZBW',
  BWI: 'ZDC',
  CLT: 'ZTL',
  CVG: 'ZID',
  DCA: 'ZDC',
  DEN: 'ZDV',
  DFW: 'ZFW',
  DTW: 'ZOB',
  EWR: 'ZNY',
  FLL: 'ZMA',
  HOU: 'ZHU',
  IAD: 'ZDC',
  IAH: 'ZHU',
  JFK: 'ZNY',
  LAS: 'ZLA',
  LAX: 'ZLA',
  LGA: 'ZNY',
  MCO: 'ZJX',
  MDW: 'ZAU',
  MIA: 'ZMA',
  MSP: 'ZMP',
  ORD: 'ZAU',
  PHL: 'ZNY',
  PHX: 'ZAB',
  SAN: 'ZLA',
  SEA: 'ZSE',
  SFO: 'ZOA',
  SLC: 'ZLC',
  TPA: 'ZJX',
}

export interface FaaAirport {
  id: string
  center: string
  place: Airport
}

/** The airports that the simulated FAA manages, in the order of their ids. */
export function faaAirports(): FaaAirport[] {
  const { byFaaId } = airportDirectory()
  return Object.entries(CENTERS).map(([id, center]) => {
    const place = byFaaId.get(id)
    if (!place) throw new Error(`${id} is not in the airport directory`)
    return { id, center, place }
  })
}

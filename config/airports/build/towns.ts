import { fold } from '../search/fold.ts'
import { type GeoPlace, geoNames } from './geonames.ts'
import { Grid } from './place-links.ts'
import type { Evidence } from './sources.ts'

/** A town gives its name to an airport this close. */
const MAX_TOWN_KM = 30
/** The nearest town says in which country a place lies, unless it is further away than this. */
const MAX_COUNTRY_KM = 100

/** Compares the towns of GeoNames with the place that a source gives an airport. */
export class Towns {
  private readonly grid: Grid<GeoPlace>

  constructor() {
    this.grid = new Grid(geoNames().places)
  }

  /** Whether a town of the airport's name lies at the place. */
  hasNamesake(claim: Evidence): boolean {
    const name = ` ${fold(claim.name)} `
    return this.grid
      .near(claim, MAX_TOWN_KM)
      .some(({ neighbour }) =>
        [neighbour.name, ...neighbour.otherNames].some(
          (town) => fold(town).length >= 4 && name.includes(` ${fold(town)} `),
        ),
      )
  }

  /** Whether the place lies in another country than the airport's. */
  isAbroad(claim: Evidence): boolean {
    const [nearest] = this.grid.near(claim, MAX_COUNTRY_KM)
    return nearest !== undefined && nearest.neighbour.country !== claim.country
  }
}

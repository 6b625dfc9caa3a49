import * as agreement from '../../../config/airports/build/agreement.ts'
import type { Evidence } from '../../../config/airports/build/sources.ts'
import { testValues } from '../../values.ts'

/** What a source says of an airport: its name, country, place, and what else. */
type Claim = [source: Evidence['source'], name: string, country: string, place: [number, number], more?: object]

const evidenceOf = ([source, name, country, [latitude, longitude], more]: Claim): Evidence => {
  const said = { source, name, country, latitude, longitude, icao: null, since: null, town: false }
  return { ...said, ...more }
}

testValues('config/airports/agreement.json', {
  isSameAirport: (first: Claim, second: Claim) => agreement.isSameAirport(evidenceOf(first), evidenceOf(second)),
  namesAgree: agreement.namesAgree,
  agree: (claims: Claim[], correction: Evidence['source'] | null, namesake: number | null) =>
    agreement.agree(claims.map(evidenceOf), correction ?? undefined, {
      hasNamesake: ({ latitude }) => latitude === namesake,
      isAbroad: () => false,
    }),
  agreeOnIcao: (claims: Claim[], country: string, holder: Claim | null) =>
    agreement.agreeOnIcao(claims.map(evidenceOf), country, () => holder && evidenceOf(holder)),
  countriesOfIcao: agreement.countriesOfIcao,
})

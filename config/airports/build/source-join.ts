import { groupBy } from '../../group-by.ts'
import type { Airport } from '../directory.ts'
import { distanceKm } from '../distance.ts'
import type { FormerCode } from '../former-codes.ts'
import { agree, agreeOnIcao, isSameAirport, MAX_APART_KM, namesAgree } from './agreement.ts'
import type { readCorrections } from './corrections.ts'
import { DisagreementReport } from './disagreement-report.ts'
import { type BaseRow, type FaaRow, type OurAirportsRow, ourAirportsRows } from './packages.ts'
import {
  type AirportsData,
  airportsData,
  airportsDataEvidence,
  baseEvidence,
  type Evidence,
  faaEvidence,
  type OpenTravelRow,
  openTravelData,
  openTravelDataEvidence,
  ourAirportsEvidence,
} from './sources.ts'
import { Towns } from './towns.ts'

/** The airport that has a code now, as the sources that agree about it say. */
export interface AirportPlace {
  name: string
  country: string
  position: { latitude: number; longitude: number }
  ours: OurAirportsRow | null
  members: Evidence[]
  /** Whoever names an ICAO code for it: its members, and the base package. */
  claims: Evidence[]
  /** The base package's time zone; null if its row means another airport. */
  zone: string | null
}

/** A base row further than this from the holder of a code is that of a former holder, where one was nearer. */
const MAX_SOURCE_KM = 10

/** Joins the sources by IATA code where they mean one place, and reports where they do not. */
export class SourceJoin {
  readonly report = new DisagreementReport()
  /** Names that other sources have for an airport, where they have nothing in common with the one in the directory. */
  readonly otherNames = new Map<string, string[]>()
  private readonly oursByIata: Map<string, OurAirportsRow>
  private readonly oursByIcao: Map<string, OurAirportsRow>
  private readonly oursByEvidence = new Map<Evidence, OurAirportsRow>()
  private readonly listed: AirportsData
  private readonly holders: Map<string, OpenTravelRow[]>
  private readonly renamedTo: Map<string, string>
  private readonly corrections: ReturnType<typeof readCorrections>
  private readonly towns = new Towns()

  constructor(folder: string, former: readonly FormerCode[], corrections: ReturnType<typeof readCorrections>) {
    const ours = ourAirportsRows()
    this.oursByIata = new Map(ours.filter((row) => row.iata_code !== '').map((row) => [row.iata_code, row]))
    this.oursByIcao = new Map(ours.map((row) => [row.gps_code || row.ident, row]))
    this.listed = airportsData(folder)
    this.holders = openTravelData()
    this.renamedTo = new Map(
      former.flatMap(({ code, airport, kind }) => (kind === 'renamed' && airport ? [[airport, code]] : [])),
    )
    this.corrections = corrections
  }

  /** The place of the airport with the code of a base row; null if no source is trusted: then the build fails, unless the row is excluded anyway. */
  placeOf(row: BaseRow, isExcluded: boolean): AirportPlace | null {
    const correction = this.corrections.get(row.iata)
    const evidence = this.evidenceOf(row)
    const agreement = agree(evidence, correction?.from, this.towns)
    if (agreement === null) {
      if (correction?.drop) this.report.add(row.iata, 'place', evidence, `dropped: ${correction.why}`)
      else if (!isExcluded) this.report.undecided(row.iata, 'place', evidence)
      return correction?.drop ? placeholder(row) : null
    }
    const { members, others } = agreement
    if (others.some((other) => !other.town || members.every((member) => distanceKm(member, other) > MAX_APART_KM)))
      this.report.add(row.iata, 'place', evidence, correction?.drop ? `dropped: ${correction.why}` : agreement.rule)
    const ours = this.oursFor(members)
    const { latitude, longitude } = positionOf(members)
    return {
      name: this.nameOf(baseEvidence(row), row.iata, members, ours),
      country: ours?.iso_country ?? this.countryOf(row.iata, members),
      position: { latitude, longitude },
      ours,
      members,
      zone: members.some(({ source }) => source === 'airport-data-js') ? row.time : null,
      claims: members.some(({ source }) => source === 'airport-data-js') ? members : [...members, baseEvidence(row)],
    }
  }

  /** Whether IATA gave up the code, and no other source still has an airport with it. */
  isWithdrawn(row: BaseRow): boolean {
    const holders = this.holders.get(row.iata) ?? []
    const base = baseEvidence(row)
    const last = holders.map(openTravelDataEvidence).find((holder) => distanceKm(base, holder) <= MAX_APART_KM)
    const isGone =
      last !== undefined &&
      holders.every(({ until }) => until !== '') &&
      !this.oursByIata.has(row.iata) &&
      !this.listed.byIata.has(row.iata)
    if (isGone) {
      const until = holders
        .map((holder) => holder.until)
        .toSorted()
        .at(-1)
      this.report.add(
        row.iata,
        'place',
        [base, last],
        `dropped: the code is given up, according to OpenTravelData by ${until}`,
      )
    }
    return isGone
  }

  /** The present statement of each source about a code; the base package comes first. Sources may still have a renamed airport under its former code. */
  private evidenceOf(row: BaseRow): Evidence[] {
    const codes = [row.iata, this.renamedTo.get(row.iata) ?? row.iata]
    const [oursRow] = codes.flatMap((code) => this.oursByIata.get(code) ?? [])
    const ours = oursRow ? ourAirportsEvidence(oursRow) : null
    if (ours && oursRow) this.oursByEvidence.set(ours, oursRow)
    const [listed] = codes.flatMap((code) => this.listed.byIata.get(code) ?? [])
    const base = baseEvidence(row)
    const holders = this.holders.get(row.iata) ?? []
    const held = holders.filter(({ until }) => until === '').map(openTravelDataEvidence)
    const former = holders.filter(({ until }) => until !== '').map(openTravelDataEvidence)
    const newest = held.toSorted(
      (a, b) => (b.since ?? '').localeCompare(a.since ?? '') || distanceKm(a, base) - distanceKm(b, base),
    )[0]
    const isFormer =
      newest !== undefined &&
      newest.since !== null &&
      distanceKm(base, newest) > MAX_SOURCE_KM &&
      former.some((holder) => distanceKm(base, holder) <= MAX_SOURCE_KM)
    if (isFormer) {
      this.report.add(
        row.iata,
        'place',
        [base, newest],
        `airport-data-js has the holder of the code before ${newest.since}`,
      )
      return [
        newest,
        ...(listed && distanceKm(airportsDataEvidence(listed), newest) <= MAX_APART_KM
          ? [airportsDataEvidence(listed)]
          : []),
      ]
    }
    return [
      base,
      ...(ours ? [ours] : []),
      ...(listed ? [airportsDataEvidence(listed)] : []),
      ...(newest ? [newest] : []),
    ]
  }

  /** The row of OurAirports for an airport: by its IATA code, otherwise by an ICAO code, where it is at that place. */
  private oursFor(members: readonly Evidence[]): OurAirportsRow | null {
    const own = members.find(({ source }) => source === 'OurAirports')
    if (own) return this.oursByEvidence.get(own)!
    for (const { icao } of members) {
      const row = icao === null ? undefined : this.oursByIcao.get(icao)
      if (row && members.some((member) => isSameAirport(member, ourAirportsEvidence(row)))) return row
    }
    return null
  }

  /** The name that OurAirports has, else that of the base package where its row means this airport, else that of the most trusted source. */
  private nameOf(base: Evidence, iata: string, members: readonly Evidence[], ours: OurAirportsRow | null): string {
    if (ours) return ours.name
    const others = members.filter(({ source }) => source !== 'airport-data-js')
    const isMember = others.length < members.length
    const meansIt =
      isMember || others.some(({ name, country }) => country === base.country && namesAgree(name, base.name))
    // Names of airportsdata have lost letters here and there.
    if (!meansIt) return (others.find(({ source }) => source === 'OpenTravelData') ?? others[0]!).name
    if (others.length === 0 || others.some(({ name }) => namesAgree(name, base.name))) return base.name
    const decided = 'one airport of several names: that of airport-data-js; the others are found by search'
    this.report.add(iata, 'name', members, decided)
    const names = new Set(others.map(({ name }) => name))
    this.otherNames.set(
      iata,
      [...names].filter((name) => !name.includes('?')),
    )
    return base.name
  }

  private countryOf(iata: string, members: readonly Evidence[]): string {
    const votes = (country: string) => members.filter((member) => member.country === country).length
    const countries = [...new Set(members.map(({ country }) => country))].sort((a, b) => votes(b) - votes(a))
    if (countries.length > 1)
      this.report.add(iata, 'country', members, `most sources, then the most trusted: ${countries[0]}`)
    return countries[0]!
  }

  icaoOf(iata: string, place: AirportPlace, facility: FaaRow | null): string | null {
    const claims = [...(facility ? [faaEvidence(facility, place.country)] : []), ...place.claims]
    const { icao, rule } = agreeOnIcao(claims, place.country, (code) => this.holderOf(code))
    const correction = this.corrections.get(iata)
    const isSet = correction?.set && 'icao' in correction.set
    if (rule !== null) this.report.add(iata, 'icao', claims, isSet ? 'corrections.json' : rule)
    return icao
  }

  private holderOf(icao: string): Evidence | null {
    const listed = this.listed.byIcao.get(icao)
    if (listed) return airportsDataEvidence(listed)
    const ours = this.oursByIcao.get(icao)
    return ours ? ourAirportsEvidence(ours) : null
  }

  /** Two airports may claim one ICAO code: it stays with the one that airportsdata or OurAirports gives it to, otherwise neither has it. */
  settleSharedIcao(airports: readonly Airport[]): void {
    for (const [icao, claimants] of groupBy(airports, (airport) => airport.icao)) {
      if (!icao || claimants.length < 2) continue
      const owner =
        claimants.find(({ iata }) => this.listed.byIcao.get(icao)?.iata === iata) ??
        claimants.find(({ iata }) => this.oursByIcao.get(icao)?.iata_code === iata)
      for (const other of claimants.filter((airport) => airport !== owner)) {
        other.icao = null
        const codes = claimants.map(({ iata }) => iata).join(' and ')
        const decided = owner
          ? `the ICAO code is that of ${owner.iata}: dropped`
          : `no source decides between ${codes}: dropped`
        this.report.note(other.iata, 'icao', `${icao}: ${decided}`)
      }
    }
  }
}

/** Sources this near to each other have measured one airport. */
const MAX_MEASURED_KM = 3

/**
 * The position of an airport in the most trusted of some sources. Others may have copied a place in whole minutes from each
 * other, but they show where one has written minutes and seconds as if they were decimals.
 */
function positionOf(members: readonly Evidence[]): AirportPlace['position'] {
  const measured = members.filter(({ town }) => !town)
  const first = measured[0] ?? members[0]!
  const asMinutes = { ...first, latitude: fromMinutes(first.latitude), longitude: fromMinutes(first.longitude) }
  const isConfirmed = (place: Evidence) =>
    measured.slice(1).some((other) => distanceKm(other, place) <= MAX_MEASURED_KM)
  const { latitude, longitude } = !isConfirmed(first) && isConfirmed(asMinutes) ? asMinutes : first
  return { latitude, longitude }
}

/** Degrees whose decimals are minutes and seconds: 50.9014 for 50.5405, which is 50° 54' 05". */
function fromMinutes(value: number): number {
  const [degrees, digits = ''] = Math.abs(value).toFixed(4).split('.')
  const [minutes, seconds] = [digits.slice(0, 2), digits.slice(2)].map(Number)
  return Math.sign(value) * (Number(degrees) + minutes! / 60 + seconds! / 3_600)
}

/** A row that a correction drops: it is built so that the correction finds it. */
const placeholder = (row: BaseRow): AirportPlace => ({
  name: row.airport,
  country: row.country_code,
  position: { latitude: row.latitude, longitude: row.longitude },
  ours: null,
  members: [],
  claims: [],
  zone: row.time,
})

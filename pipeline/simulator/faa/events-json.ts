import { airportDirectory } from '../../../config/airports/directory.ts'
import { isoUtc } from '../../../config/domain.ts'
import { type Closure, closuresAt, notamOf } from './closures.ts'
import { flowsAt } from './flows.ts'
import { type Program, programsAt } from './programs.ts'
import { durationText } from './time-formats.ts'

/** The answer of `/api/airport-events`: one row per airport with an event, with the same programs as the XML document. */
export function airportEvents(seed: number, ms: number): object[] {
  const programs = programsAt(seed, ms)
  const closures = closuresAt(seed, ms)
  const ids = new Set([...programs.map((program) => program.airport.id), ...closures.map((closure) => closure.faa_id)])
  return [...ids].sort().map((id) => {
    const own = (kind: Program['kind']) =>
      programs.find((program) => program.airport.id === id && program.kind === kind) ?? null
    const closure = closures.find((candidate) => candidate.faa_id === id)
    const isFullClosure = closure !== undefined && !closure.partial && !closure.condition.startsWith('DLY')
    const place = airportDirectory().byFaaId.get(id)
    return {
      airportId: id,
      groundStop: groundStop(own('ground_stop'), ms),
      groundDelay: groundDelay(own('ground_delay'), ms),
      airportClosure: isFullClosure ? fullClosure(closure) : null,
      freeForm: closure && !isFullClosure ? freeForm(closure) : null,
      arrivalDelay: delay(own('arrival'), ms),
      departureDelay: delay(own('departure'), ms),
      airportConfig: null,
      deicing: null,
      airportLongName: place?.name ?? id,
      latitude: String(place?.latitude ?? ''),
      longitude: String(place?.longitude ?? ''),
    }
  })
}

function advisory(id: string, ms: number, title: string): string {
  const [year, month, date] = isoUtc(ms).slice(0, 10).split('-')
  return `https://www.fly.faa.gov/adv/adv_otherdis.jsp?advn=3&adv_date=${month}${date}${year}&facId=${id}&title=${title}`
}

function groundStop(program: Program | null, ms: number): object | null {
  return (
    program && {
      airportId: program.airport.id,
      advisoryUrl: advisory(program.airport.id, ms, 'CDM GROUND STOP'),
      impactingCondition: program.reason,
      startTime: isoUtc(program.start),
      endTime: isoUtc(program.end),
      updatedAt: isoUtc(program.start),
      includedFacilities: [program.airport.center],
      probabilityOfExtension: program.extension,
    }
  )
}

function groundDelay(program: Program | null, ms: number): object | null {
  return (
    program && {
      airportId: program.airport.id,
      updatedAt: isoUtc(Math.floor(ms / 900_000) * 900_000),
      impactingCondition: program.reason,
      avgDelay: program.average_minutes,
      maxDelay: program.most_minutes,
      startTime: isoUtc(program.start),
      endTime: isoUtc(program.end),
      center: program.airport.center,
      advisoryUrl: advisory(program.airport.id, ms, 'CDM GROUND DELAY PROGRAM'),
      departureScope: null,
      includedFacilities: [],
      includedFlights: ': ALL CONTIGUOUS US DEP',
      fadtParamType: 'GDP',
      compression: false,
    }
  )
}

function delay(program: Program | null, ms: number): object | null {
  return (
    program && {
      airportId: program.airport.id,
      reason: program.reason,
      arrivalDeparture: {
        type: program.kind === 'arrival' ? 'Arrival' : 'Departure',
        min: durationText(program.least_minutes),
        max: durationText(program.most_minutes),
        trend: program.trend,
      },
      updateTime: isoUtc(Math.floor(ms / 900_000) * 900_000),
      averageDelay: String(program.average_minutes),
      trend: program.trend.toLowerCase(),
    }
  )
}

function fullClosure(closure: Closure): object {
  return {
    airportId: closure.faa_id,
    startTime: isoUtc(closure.start),
    endTime: isoUtc(closure.end),
    updatedAt: isoUtc(closure.issued),
    text: `CLSD ${closure.condition}`,
  }
}

function freeForm(closure: Closure): object {
  return {
    id: `${closure.faa_id}-${closure.number}`,
    airportId: closure.faa_id,
    createdAt: null,
    updatedAt: isoUtc(closure.issued),
    startTime: isoUtc(closure.start),
    endTime: isoUtc(closure.end),
    simpleText: notamOf(closure),
    text: closure.condition,
    notamNumber: closure.number,
    issuedDate: isoUtc(closure.issued),
  }
}

/** The answer of `/api/enroute-events`: the flow programs. */
export function enrouteEvents(seed: number, ms: number): object[] {
  return flowsAt(seed, ms).map((flow) => ({
    airspaceFlowProgram: {
      afpName: flow.name,
      startTime: isoUtc(flow.start),
      endTime: isoUtc(flow.end),
      updatedAt: isoUtc(flow.start),
      avgDelay: flow.average_minutes,
      impactingCondition: flow.reason,
      lowerAltitude: '000',
      upperAltitude: '600',
    },
    advisoryUrl: advisory(flow.name, ms, 'AIRSPACE FLOW PROGRAM'),
    polygon: null,
    fcaArtcc: {
      fcaArtccName: flow.center,
      points: {
        point: flow.points.map(([latitude, longitude]) => ({ latitude: `${latitude}`, longitude: `${longitude}` })),
      },
    },
    fcaAirport: null,
    fcaSectorName: null,
    departsAny: flow.center,
    arrivesAny: null,
    departsNone: null,
    arrivesNone: null,
    isAnyConditions: false,
    fcaHeadingDirection: null,
    comments: `EXPECT EDCTS FOR FLIGHTS THROUGH ${flow.name}.`,
  }))
}

import { type Closure, closuresAt, notamOf } from './closures.ts'
import { type Flow, flowsAt } from './flows.ts'
import { type Program, programsAt } from './programs.ts'
import { closureTime, durationWords, endTime, fcaTime, hhmm, updateTime } from './time-formats.ts'

const escaped = (text: string) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;')
const tag = (name: string, ...inside: string[]) => `<${name}>${inside.join('')}</${name}>`
const words = (name: string, text: string) => tag(name, escaped(text))

/** One block of the document; nothing at all for an empty list, as the FAA leaves such blocks out. */
function block(name: string, list: string, members: string[]): string {
  return members.length === 0 ? '' : tag('Delay_type', words('Name', name), tag(list, ...members))
}

/** The airport status document of an instant, on one line, as nasstatus.faa.gov serves it. */
export function statusXml(seed: number, ms: number): string {
  const programs = programsAt(seed, ms)
  const flows = flowsAt(seed, ms)
  const closures = closuresAt(seed, ms)
  const of = (...kinds: Program['kind'][]) => programs.filter((program) => kinds.includes(program.kind))
  return tag(
    'AIRPORT_STATUS_INFORMATION',
    words('Update_Time', updateTime(ms)),
    words('Dtd_File', 'http://www.fly.faa.gov/AirportStatus.dtd'),
    block('Ground Stop Programs', 'Ground_Stop_List', of('ground_stop').map(groundStop)),
    block('Ground Delay Programs', 'Ground_Delay_List', of('ground_delay').map(groundDelay)),
    block('General Arrival/Departure Delay Info', 'Arrival_Departure_Delay_List', legs(of('arrival', 'departure'))),
    // The FAA sends this block twice: real closures, then those that concern a few aircraft only.
    block('Airport Closures', 'Airport_Closure_List', closures.filter((closure) => !closure.partial).map(closed)),
    block('Airport Closures', 'Airport_Closure_List', closures.filter((closure) => closure.partial).map(closed)),
    block(
      'Airspace Flow Programs',
      'Airspace_Flow_List',
      flows.filter((flow) => flow.kind === 'afp').map(airspaceFlow),
    ),
    block('CTOP', 'CTOP_List', flows.filter((flow) => flow.kind === 'ctop').map(ctop)),
  )
}

function groundStop({ airport, reason, end }: Program): string {
  return tag(
    'Program',
    words('ARPT', airport.id),
    words('Reason', reason),
    words('End_Time', endTime(end, airport.place.timezone)),
  )
}

function groundDelay({ airport, reason, average, most }: Program): string {
  return tag(
    'Ground_Delay',
    words('ARPT', airport.id),
    words('Reason', reason),
    words('Avg', durationWords(average)),
    words('Max', durationWords(most)),
  )
}

/** Arrivals and departures of one airport share a `Delay`. */
function legs(programs: Program[]): string[] {
  const byAirport = new Map<string, Program[]>()
  for (const program of programs)
    byAirport.set(program.airport.id, [...(byAirport.get(program.airport.id) ?? []), program])
  return [...byAirport].map(([id, both]) =>
    tag('Delay', words('ARPT', id), words('Reason', both[0]!.reason), ...both.map(leg)),
  )
}

function leg({ kind, least, most, trend }: Program): string {
  const inside = [words('Min', durationWords(least)), words('Max', durationWords(most)), words('Trend', trend)]
  return `<Arrival_Departure Type="${kind === 'arrival' ? 'Arrival' : 'Departure'}">${inside.join('')}</Arrival_Departure>`
}

function closed(closure: Closure): string {
  return tag(
    'Airport',
    words('ARPT', closure.faa_id),
    words('Reason', notamOf(closure)),
    words('Start', closureTime(closure.start)),
    words('Reopen', closureTime(closure.end)),
  )
}

function shapeOf({ shape, points }: Flow): string {
  const [center] = points
  if (shape === 'circle') return `<Circle Radius="60"><Center Lat="${center?.[0]}" Long="${center?.[1]}"/></Circle>`
  const list = points.map(([lat, long]) => `<Point Lat="${lat}" Long="${long}"/>`)
  return shape === 'line' ? tag('Line', ...list) : tag('Polygon', tag('PointsList', ...list))
}

function airspaceFlow(flow: Flow): string {
  return tag(
    'Airspace_Flow',
    words('CTL_Element', flow.name),
    words('Reason', flow.reason),
    words('FCA_StartDateTime', fcaTime(flow.start)),
    words('FCA_EndDateTime', fcaTime(flow.end)),
    words('AFP_StartTime', hhmm(flow.start)),
    words('AFP_EndTime', hhmm(flow.end)),
    shapeOf(flow),
    words('Avg', durationWords(flow.average)),
    words('Floor', '0'),
    words('Ceiling', '600'),
  )
}

function ctop(flow: Flow): string {
  const area = [
    words('FCA_Name', flow.name),
    words('FCA_Start_DateTime', fcaTime(flow.start)),
    words('FCA_End_DateTime', fcaTime(flow.end)),
    shapeOf(flow),
    words('Floor', '0'),
    words('Ceiling', '600'),
  ]
  return tag(
    'CTOP',
    words('Program_Name', flow.name.replace('FCA', 'CTP')),
    words('Reason', flow.reason),
    words('CTOP_Start_Time', hhmm(flow.start)),
    words('CTOP_End_Time', hhmm(flow.end)),
    words('Avg', durationWords(flow.average)),
    tag('FCA_Data', tag('FCA', ...area)),
  )
}

import { type Closure, closuresAt, notamOf } from './closures.ts'
import { type Flow, flowsAt } from './flows.ts'
import { type Program, programsAt } from './programs.ts'
import { closureTime, durationText, endTime, fcaTime, hhmm, updateTime } from './time-formats.ts'

const escaped = (text: string) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;')
const tag = (name: string, ...inside: string[]) => `<${name}>${inside.join('')}</${name}>`
const textTag = (name: string, text: string) => tag(name, escaped(text))

/** One block of the document. An empty block is omitted, as in the FAA's document. */
function block(name: string, list: string, members: string[]): string {
  return members.length === 0 ? '' : tag('Delay_type', textTag('Name', name), tag(list, ...members))
}

/** The airport status document at an instant, on one line, as nasstatus.faa.gov serves it. */
export function statusXml(seed: number, ms: number): string {
  const programs = programsAt(seed, ms)
  const flows = flowsAt(seed, ms)
  const closures = closuresAt(seed, ms)
  const ofKind = (...kinds: Program['kind'][]) => programs.filter((program) => kinds.includes(program.kind))
  return tag(
    'AIRPORT_STATUS_INFORMATION',
    textTag('Update_Time', updateTime(ms)),
    textTag('Dtd_File', 'http://www.fly.faa.gov/AirportStatus.dtd'),
    block('Ground Stop Programs', 'Ground_Stop_List', ofKind('ground_stop').map(groundStop)),
    block('Ground Delay Programs', 'Ground_Delay_List', ofKind('ground_delay').map(groundDelay)),
    block('General Arrival/Departure Delay Info', 'Arrival_Departure_Delay_List', legs(ofKind('arrival', 'departure'))),
    // The FAA sends this block twice: full closures, then those that exclude only some aircraft.
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
    textTag('ARPT', airport.id),
    textTag('Reason', reason),
    textTag('End_Time', endTime(end, airport.place.timezone)),
  )
}

function groundDelay({ airport, reason, average_minutes: average, most_minutes: most }: Program): string {
  return tag(
    'Ground_Delay',
    textTag('ARPT', airport.id),
    textTag('Reason', reason),
    textTag('Avg', durationText(average)),
    textTag('Max', durationText(most)),
  )
}

/** The arrival and departure delays of one airport are in one `Delay`. */
function legs(programs: Program[]): string[] {
  const byAirport = new Map<string, Program[]>()
  for (const program of programs)
    byAirport.set(program.airport.id, [...(byAirport.get(program.airport.id) ?? []), program])
  return [...byAirport].map(([id, both]) =>
    tag('Delay', textTag('ARPT', id), textTag('Reason', both[0]!.reason), ...both.map(leg)),
  )
}

function leg({ kind, least_minutes: least, most_minutes: most, trend }: Program): string {
  const inside = [textTag('Min', durationText(least)), textTag('Max', durationText(most)), textTag('Trend', trend)]
  return `<Arrival_Departure Type="${kind === 'arrival' ? 'Arrival' : 'Departure'}">${inside.join('')}</Arrival_Departure>`
}

function closed(closure: Closure): string {
  return tag(
    'Airport',
    textTag('ARPT', closure.faa_id),
    textTag('Reason', notamOf(closure)),
    textTag('Start', closureTime(closure.start)),
    textTag('Reopen', closureTime(closure.end)),
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
    textTag('CTL_Element', flow.name),
    textTag('Reason', flow.reason),
    textTag('FCA_StartDateTime', fcaTime(flow.start)),
    textTag('FCA_EndDateTime', fcaTime(flow.end)),
    textTag('AFP_StartTime', hhmm(flow.start)),
    textTag('AFP_EndTime', hhmm(flow.end)),
    shapeOf(flow),
    textTag('Avg', durationText(flow.average_minutes)),
    textTag('Floor', '0'),
    textTag('Ceiling', '600'),
  )
}

function ctop(flow: Flow): string {
  const area = [
    textTag('FCA_Name', flow.name),
    textTag('FCA_Start_DateTime', fcaTime(flow.start)),
    textTag('FCA_End_DateTime', fcaTime(flow.end)),
    shapeOf(flow),
    textTag('Floor', '0'),
    textTag('Ceiling', '600'),
  ]
  return tag(
    'CTOP',
    textTag('Program_Name', flow.name.replace('FCA', 'CTP')),
    textTag('Reason', flow.reason),
    textTag('CTOP_Start_Time', hhmm(flow.start)),
    textTag('CTOP_End_Time', hhmm(flow.end)),
    textTag('Avg', durationText(flow.average_minutes)),
    tag('FCA_Data', tag('FCA', ...area)),
  )
}

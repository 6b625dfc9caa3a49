import { airportEvents, enrouteEvents } from '../faa/events-json.ts'
import { statusXml } from '../faa/status-xml.ts'
import { json, minuteOf, type Site, text } from './site.ts'

/** The FAA's status of the national airspace: an XML document and two JSON lists with the same programs. */
export const faa: Site = {
  hosts: ['nasstatus.faa.gov'],
  answer: ({ path }, { queues, now }) => {
    const at = minuteOf(now)
    if (path === '/api/airport-status-information')
      return text(statusXml(queues.seed, at), 200, 'application/xml;charset=UTF-8')
    if (path === '/api/airport-events') return json(airportEvents(queues.seed, at))
    if (path === '/api/enroute-events') return json(enrouteEvents(queues.seed, at))
    return null
  },
}

import { DateTime } from 'luxon'
import { airportDirectory } from '../../config/airports/directory.ts'
import { DAY_MS, HOUR_MS } from '../../config/domain.ts'
import { queuesOf } from '../../pipeline/simulator/catalogue/index.ts'
import { programsAt } from '../../pipeline/simulator/faa/programs.ts'
import type { World } from '../../pipeline/simulator/model/queues.ts'
import { stormAt } from '../../pipeline/simulator/model/storms.ts'
import { minuteOf } from '../../pipeline/simulator/sites/site.ts'
import { categoryOf, skyAt } from '../../pipeline/simulator/weather/sky.ts'

const mean = (numbers: number[]) => numbers.reduce((sum, one) => sum + one, 0) / numbers.length

/** What is so in a simulated world at an instant (epoch ms), read off its own laws: nothing here has seen an answer of the service. */
export function truthAt(world: World, now: number) {
  const security = (iata: string) => queuesOf('panynj-graphql', iata).filter(({ lane }) => lane === 'standard')
  const passport = (direction: 'Arrival' | 'Departure') =>
    queuesOf('zrh-passport').filter(({ checkpoint }) => checkpoint.startsWith(direction))
  const open = (queues: { id: string }[], ms: number) => queues.flatMap(({ id }) => world.waitAt(id, ms).minutes ?? [])
  return {
    /** Minutes at security, on the average of the open standard lanes. */
    security: (iata: string, ms = minuteOf(now)) => mean(open(security(iata), ms)),
    terminal: (iata: string, terminal: string) =>
      mean(
        open(
          security(iata).filter((queue) => queue.terminal === terminal),
          minuteOf(now),
        ),
      ),
    /** Minutes of each passport queue that leads one way. */
    passport: (direction: 'Arrival' | 'Departure', ms = minuteOf(now)) => open(passport(direction), ms),
    /** What was so at a passport at this local hour, on the days of one kind (week or weekend) of the last 28 that the agent's service knows of. */
    passportBefore(direction: 'Arrival' | 'Departure', hour_ms: number, from: number): number[] {
      const weekend = (ms: number) => DateTime.fromMillis(ms, { zone: 'Europe/Zurich' }).isWeekend
      const days = Array.from({ length: 28 }, (_, at) => hour_ms - (at + 1) * DAY_MS)
      return days
        .filter((ms) => ms >= from && ms + HOUR_MS <= now && weekend(ms) === weekend(hour_ms))
        .map((ms) => mean(open(passport(direction), ms)))
    },
    /** The FAA's programs, by airport: type and average minutes. */
    programs: () =>
      programsAt(world.seed, now).map(({ airport, kind, average, reason }) => ({
        airport: airport.place.iata,
        average,
        reason,
        type: kind === 'arrival' || kind === 'departure' ? `${kind}_delay` : kind,
      })),
    sky(iata: string, observed_ms: number) {
      const airport = airportDirectory().byIata.get(iata)!
      const storm = stormAt(world.seed, iata, airport.latitude, observed_ms)
      const sky = skyAt(world.seed, airport, storm, observed_ms)
      return { ...sky, category: categoryOf(sky), storm }
    },
  }
}

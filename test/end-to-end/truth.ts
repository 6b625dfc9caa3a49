import { DateTime } from 'luxon'
import { airportDirectory } from '../../config/airports/directory.ts'
import { DAY_MS, HOUR_MS } from '../../config/domain.ts'
import { queuesOf } from '../../pipeline/simulator/catalogue/index.ts'
import { programsAt } from '../../pipeline/simulator/model/programs.ts'
import type { QueueModel } from '../../pipeline/simulator/model/queues.ts'
import { categoryOf, skyAt } from '../../pipeline/simulator/model/sky.ts'
import { stormAt } from '../../pipeline/simulator/model/storms.ts'
import { minuteOf } from '../../pipeline/simulator/sites/site.ts'

const mean = (numbers: number[]) => numbers.reduce((sum, number) => sum + number, 0) / numbers.length

/** The true state of a simulated world at an instant (epoch ms), computed from its model and not from answers of the service. */
export function truthAt(world: QueueModel, now: number) {
  const security = (iata: string) => queuesOf('panynj-graphql', iata).filter(({ lane }) => lane === 'standard')
  const passport = (direction: 'Arrival' | 'Departure') =>
    queuesOf('zrh-passport').filter(({ checkpoint }) => checkpoint.startsWith(direction))
  const open = (queues: { id: string }[], ms: number) => queues.flatMap(({ id }) => world.waitAt(id, ms).minutes ?? [])
  return {
    /** Wait at security in minutes: the mean over the open standard lanes. */
    security: (iata: string, ms = minuteOf(now)) => mean(open(security(iata), ms)),
    terminal: (iata: string, terminal: string) =>
      mean(
        open(
          security(iata).filter((queue) => queue.terminal === terminal),
          minuteOf(now),
        ),
      ),
    /** Minutes of each passport queue in one direction. */
    passport: (direction: 'Arrival' | 'Departure', ms = minuteOf(now)) => open(passport(direction), ms),
    /** Mean passport waits at this local hour on the last 28 days, only weekdays or only weekends like the hour, since `from`. */
    passportBefore(direction: 'Arrival' | 'Departure', hour_ms: number, from: number): number[] {
      const weekend = (ms: number) => DateTime.fromMillis(ms, { zone: 'Europe/Zurich' }).isWeekend
      const days = Array.from({ length: 28 }, (_, at) => hour_ms - (at + 1) * DAY_MS)
      return days
        .filter((ms) => ms >= from && ms + HOUR_MS <= now && weekend(ms) === weekend(hour_ms))
        .map((ms) => mean(open(passport(direction), ms)))
    },
    /** The FAA programs: airport, type, reason and average minutes. */
    programs: () =>
      programsAt(world.seed, now).map(({ airport, kind, average_minutes: average, reason }) => ({
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

import { DateTime } from 'luxon'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import type { LeaveBy } from '../../answers/departure/leave-by-answer.ts'
import { airportDirectory } from '../../config/airports/directory.ts'
import { DAY_MS, HOUR_MS, isoUtc } from '../../config/vocabulary.ts'
import { queuesOf } from '../../pipeline/simulator/catalogue/index.ts'
import { programsAt } from '../../pipeline/simulator/model/programs.ts'
import type { QueueModel } from '../../pipeline/simulator/model/queues.ts'
import { categoryOf, skyAt } from '../../pipeline/simulator/model/sky.ts'
import { stormAt } from '../../pipeline/simulator/model/storms.ts'
import { minuteOf } from '../../pipeline/simulator/sites/site.ts'
import { openOauthAtPort } from '../accounts/oauth/flow.ts'
import { clientOnThisComputer } from '../accounts/oauth/loopback-client.ts'
import { connectBy, OauthStorage } from '../accounts/oauth/real-client.ts'
import { call, type Kind, type ToolCaller } from '../api/mcp-clients.ts'
import { launchBrowser, noChromium } from '../site/chromium.ts'
import { simulatedDay } from './simulated-day.ts'

/**
 * A Monday afternoon in New York, when low ceilings delay JFK. The authorization server's library reads the runtime's clock,
 * so that clock is set too. The date is years ahead because a browser would drop cookies that have expired.
 */
const NOW = Date.parse('2031-11-10T20:10:20Z')
const SEED = 7
beforeAll(() => void vi.setSystemTime(NOW))
afterAll(() => void vi.useRealTimers())

/** These tell of real things, also in the simulated world. */
const REAL = new Set([
  'search_airports',
  'get_terminals',
  'get_lounges',
  'get_airline_baggage_policy',
  'get_airline_baggage_rankings',
  'check_schengen_days',
])

/**
 * Connects an agent that knows only the address of the server: it discovers the rest, registers, and sends the person to a browser.
 * `steps` are the requests it made: method, path and status.
 */
async function connectAgent(kind: Kind, address: string, page: Page, signIn: (page: Page) => Promise<void>) {
  const steps: string[] = []
  const { came, redirect_uri } = await clientOnThisComputer()
  const storage = new OauthStorage(redirect_uri, async (url) => {
    await page.goto(url.href)
    await signIn(page)
    expect(await page.locator('main').innerText()).toContain('A real client')
    // Unticked for a new client: the agent files a report and sets an alert below.
    await page.getByLabel('This app may also file wait reports and set alerts in my name').check()
    await Promise.all([page.waitForURL(/\/callback\?/), page.getByRole('button', { name: 'Approve' }).click()])
    return came.at(-1)!
  })
  const agent = await connectBy(kind, `${address}/mcp`, storage, async (input, init) => {
    const answer = await fetch(input, init)
    const url = new URL(input instanceof Request ? input.url : input)
    steps.push(`${init?.method ?? 'GET'} ${url.pathname} ${answer.status}`)
    return answer
  })
  return { agent, steps }
}

/** Calls a tool and returns its structured answer with its text; checks that both say whether the data is simulated. */
async function callTool<Answer>(agent: ToolCaller, name: string, input: object): Promise<Answer & { text: string }> {
  const { isError, content, structuredContent } = await call(agent, name, input as Record<string, unknown>)
  const text = content[0]?.text ?? ''
  expect(isError ?? false, `${name}: ${text}`).toBe(false)
  expect(structuredContent, name).toMatchObject({ simulated: !REAL.has(name) })
  expect(text.startsWith('SIMULATED WORLD. '), name).toBe(!REAL.has(name))
  return { ...structuredContent, text } as Answer & { text: string }
}

/** Signs up as a person without an account, in the middle of the authorization. */
async function signUp(page: Page): Promise<void> {
  await page.getByRole('navigation').getByRole('link', { name: 'Sign up' }).click()
  await page.getByLabel('Email').fill('ada@example.org')
  await page.getByLabel('Password').fill('a long enough phrase of mine')
  await Promise.all([
    page.waitForURL(/\/connect-mcp/),
    page.getByRole('button', { name: 'Sign up', exact: true }).click(),
  ])
}

test.skipIf(noChromium)(
  'an agent that knows only an address is authorized by a person and plans a trip with correct facts',
  async () => {
    const { world, snapshot } = await simulatedDay(SEED, NOW)
    const truth = truthAt(world, NOW)
    const { harness, address } = await openOauthAtPort({}, { directory: airportDirectory() })
    harness.controls.snapshot = snapshot
    const browser = await launchBrowser()
    onTestFinished(() => browser.close())
    const page = await browser.newPage()

    const { agent, steps } = await connectAgent('client 2', address, page, signUp)
    expect([...new Set(steps)].slice(0, 5)).toEqual([
      'POST /mcp 401',
      'GET /.well-known/oauth-protected-resource/mcp 200',
      'GET /.well-known/oauth-authorization-server 200',
      'POST /register 201',
      'POST /token 200',
    ])
    const ask = <Answer = object>(name: string, input: object = {}) => callTool<Answer>(agent, name, input)

    // Where to fly from: the person says "New York".
    const { metro, airports } = await ask<Found>('search_airports', { query: 'NYC' })
    const { airports: codes } = metro!
    expect(codes.slice(0, 3).sort()).toEqual(['EWR', 'JFK', 'LGA'])
    expect(airports.map(({ iata }) => iata)).toEqual(codes)

    const near = codes.slice(0, 3)
    const compared = await ask<{ airports: Compared[] }>('compare_airports', { airports: near })
    const shortest = near.toSorted((a, b) => truth.security(a) - truth.security(b))[0]!
    expect(compared).toMatchObject({ comparable: true, shortest_wait: shortest })
    for (const { airport, security, flight_category } of compared.airports) {
      expect(security).toMatchObject({ wait_minutes: Math.round(truth.security(airport)), basis: 'measured' })
      expect(security.age_seconds).toBeLessThan(120)
      expect(flight_category, airport).toBe(truth.sky(airport, Date.parse(isoUtc(NOW))).category)
    }

    // Whether the flight is delayed.
    const [program] = truth.programs().filter(({ airport }) => airport === shortest)
    expect(program).toMatchObject({ type: 'ground_delay', reason: 'low ceilings' })
    const delayed = await ask<{ airports: Delayed[] }>('get_faa_delays', { detail: 'full' })
    const listed = delayed.airports.filter(({ programs }) => programs.length > 0)
    expect(listed.map(({ airport }) => airport).sort()).toEqual(
      [...new Set(truth.programs().map(({ airport }) => airport))].sort(),
    )
    // The default answer lists fewer airports, but counts all that airlines are held at.
    const brief = await ask('get_faa_delays')
    const held = delayed.airports.filter(
      ({ programs, closures }) => programs.length > 0 || closures.some(({ closed_to_airlines }) => closed_to_airlines),
    )
    expect(brief.text).toContain(`The FAA lists delays or closures at ${held.length} airport`)
    for (const { airport, type, average } of truth.programs().filter(({ type }) => type !== 'ground_stop')) {
      const programs = listed.find((entry) => entry.airport === airport)?.programs
      expect(programs, airport).toContainEqual(expect.objectContaining({ type, average_minutes: average }))
    }
    const overview = await ask('get_airport_overview', { iata: shortest })
    expect(overview).toMatchObject({
      airport: { iata: 'JFK', timezone: 'America/New_York' },
      terminals: ['1', '4', '5', '7', '8'].map((terminal) => ({
        terminal: `Terminal ${terminal}`,
        sources: ['facts', 'feed'],
      })),
      delays: {
        status: 'ground_delay',
        details: [
          expect.stringMatching(new RegExp(`^Ground delay: .*wait ${program!.average} min on average.*low clouds`)),
        ],
      },
      security: { average_wait_minutes: Math.round(truth.security(shortest)), basis: 'measured' },
    })
    expect(overview.text).toContain(`${program!.average} min on average`)
    const summary = await ask('get_airport_delays_summary', { iata: shortest })
    expect(summary).toMatchObject({ status: 'ground_delay', source: 'faa-airport-events', age_seconds: 0 })

    const weather = await ask<{ metar: { observed_at: string } }>('get_aviation_weather', { iata: shortest })
    const { observed_at, ...metar } = weather.metar
    const sky = truth.sky(shortest, Date.parse(observed_at))
    expect(metar).toMatchObject({
      flight_category: sky.category,
      wind_kt: sky.wind_kt,
      temperature_c: sky.temperature_c,
      visibility_sm: sky.visibility_sm,
      ceiling_ft: sky.clouds[0]!.base,
      weather: sky.weather,
    })
    expect(sky.storm?.kind).toBe('low ceilings')

    // When to leave: an evening flight, with a bag.
    const best = await ask<LeaveBy>('get_best_time_to_fly', {
      iata: shortest,
      departure: '2031-11-10T19:30',
      international: true,
      bags: true,
      detail: 'full',
    })
    expect(best.forecast).toMatchObject({
      basis: 'predicted',
      source: expect.stringMatching(/^(model|rule|baseline|adapted):JFK@/),
    })
    expect(best.recommended!.probability).toBeGreaterThanOrEqual(0.95)
    const security = best.steps.find(({ step }) => step === 'security')!
    const wait = truth.security(shortest, Date.parse(security.begins_at))
    expect(wait).toBeLessThanOrEqual(security.p90_minutes + 5)
    // Whoever leaves as recommended and waits as the world makes them wait is at the gate in time.
    const walk = best.steps.find(({ step }) => step === 'walk_to_gate')!
    const atGate = Date.parse(security.begins_at) + (wait + walk.p50_minutes) * 60_000
    const closes = best.deadlines.find(({ deadline }) => deadline === 'boarding_closes')!
    expect(atGate).toBeLessThanOrEqual(Date.parse(closes.at))
    const refused = await call(agent, 'get_wait_time_predictions', { iata: shortest })
    expect([refused.isError, refused.content[0]?.text]).toEqual([true, expect.stringContaining('PREMIUM_REQUIRED')])

    // At the airport: the airline's terminal, a lounge there, the bag rules.
    const { terminals } = await ask<{ terminals: { terminal: string }[] }>('get_terminals', {
      iata: shortest,
      airline: 'DL',
    })
    const [terminal] = terminals
    expect(terminal).toMatchObject({ terminal: 'Terminal 4', source: expect.stringMatching(/^http/) })
    const { lounges, text } = await ask<{ lounges: { terminal: string }[] }>('get_lounges', {
      iata: shortest,
      terminal: terminal!.terminal,
    })
    expect(lounges.every((lounge) => lounge.terminal === 'Terminal 4')).toBe(true)
    expect(text).toContain('check before you go')
    const bags = await ask('get_airline_baggage_policy', { airline: 'DL' })
    expect(bags).toMatchObject({ iata: 'DL', cabin: { as_of: expect.stringMatching(/^20/) } })

    // The destination: Zurich, as the person spells it; its border waits, and the remaining Schengen days.
    const [there] = (await ask<Found>('search_airports', { query: 'Zürich' })).airports
    expect(there?.iata).toBe('ZRH')
    const border = await ask<{ airports: Record<'entry' | 'exit', { wait_minutes: number }>[] }>('get_ees_wait_times', {
      iata: there!.iata,
    })
    const [row] = border.airports
    for (const [direction, reported] of [
      ['Arrival', row!.entry],
      ['Departure', row!.exit],
    ] as const) {
      const waits = truth.passport(direction)
      expect(reported.wait_minutes, direction).toBeGreaterThanOrEqual(Math.min(...waits) - 1)
      expect(reported.wait_minutes, direction).toBeLessThanOrEqual(Math.max(...waits) + 1)
    }
    const { hours } = await ask<{ hours: BorderHour[] }>('get_ees_forecast', { iata: 'ZRH', detail: 'full' })
    const morning = hours.find(({ local_time }) => local_time.includes('T09:00'))!
    const before = truth.passportBefore('Arrival', Date.parse(morning.time), NOW - 22 * DAY_MS).sort((a, b) => a - b)
    // A site sometimes publishes no wait: such a day is not among the observed ones.
    expect(before.length - morning.entry!.samples).toBeLessThanOrEqual(1)
    const shortestBefore = before[0]!
    const longestBefore = before.at(-1)!
    expect(morning.entry!.wait_minutes).toBeGreaterThanOrEqual(Math.floor(shortestBefore))
    expect(morning.entry!.wait_minutes).toBeLessThanOrEqual(Math.ceil(longestBefore))
    const stay = { trips: [{ entry: '2031-08-01', exit: '2031-09-14' }], planned: { entry: '2031-11-11', days: 20 } }
    expect(await ask('check_schengen_days', stay)).toMatchObject({
      on: '2031-11-10',
      days_used: 45,
      days_left: 45,
      planned: { allowed: true, longest_stay_days: 45 },
    })

    // Before leaving home: an alert if the wait grows; in the queue: a report for others.
    const threshold = Math.round(truth.security(shortest)) + 10
    const alert = await ask('create_wait_time_alert', {
      iata: shortest,
      direction: 'above',
      threshold_minutes: threshold,
    })
    expect(alert).toMatchObject({ observed_now: true, connected_browsers: 0, connectable: true })
    const minutes = Math.round(truth.terminal(shortest, '4'))
    const report = {
      iata: shortest,
      queue: 'security',
      wait_minutes: minutes,
      terminal: 'Terminal 4',
      lane: 'standard',
    }
    expect(await ask('submit_wait_time_report', report)).toMatchObject({ status: 'accepted', terminal: '4' })
    const implausible = { ...report, terminal: '8', wait_minutes: 170 }
    expect(await ask('submit_wait_time_report', implausible)).toMatchObject({ status: 'held' })
    expect(await ask('get_crowd_reports', { iata: shortest })).toMatchObject({
      reports: [{ terminal: '4', wait_minutes: minutes, basis: 'reported', age_seconds: 0 }],
      held_reports: 1,
    })
    expect(await ask('get_security_wait_estimate', { iata: shortest })).toMatchObject({
      average_wait_minutes: Math.round(truth.security(shortest)),
    })

    // Another agent of the same person with an older client is authorized again and gets the same answer.
    const other = await connectAgent('sdk 1', address, page, async () => undefined)
    expect(
      (await callTool<{ airports: Compared[] }>(other.agent, 'compare_airports', { airports: near })).airports,
    ).toEqual(compared.airports)
  },
  120_000,
)

interface Found {
  metro: { airports: string[] } | null
  airports: { iata: string }[]
}
interface Compared {
  airport: string
  security: { wait_minutes: number; age_seconds: number }
  flight_category: string
}
interface Delayed {
  airport: string
  programs: { type: string; average_minutes: number | null }[]
  closures: { closed_to_airlines: boolean | null }[]
}
interface BorderHour {
  time: string
  local_time: string
  entry: { wait_minutes: number; samples: number } | null
}

const mean = (numbers: number[]) => numbers.reduce((sum, number) => sum + number, 0) / numbers.length

/** The true state of a simulated world at an instant (epoch ms), computed from its model and not from answers of the service. */
function truthAt(world: QueueModel, now: number) {
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
      const days = Array.from({ length: 28 }, (_, index) => hour_ms - (index + 1) * DAY_MS)
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

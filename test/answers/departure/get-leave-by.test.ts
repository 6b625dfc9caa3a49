import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { LeaveBy } from '../../../answers/departure/leave-by-answer.ts'
import { departureWords } from '../../../answers/texts/departure-text.ts'
import { HOUR_MS, isoUtc, MINUTE_MS, type Tier } from '../../../config/vocabulary.ts'
import { UNKNOWN_OPEN } from '../../../warehouse/publishing/waits/learned-hours.ts'
import { NOW, snapshotAt, THIS_HOUR } from '../../api/example-snapshot.ts'
import { closedUnknown, historyOf, preCheckOnly } from '../../api/fake-snapshot.ts'
import { openHarness } from '../../api/harness.ts'
import { call as callTool, connect } from '../../api/mcp-clients.ts'
import { repetitions } from '../../exhaustive.ts'
import { assumed, directory, FORECASTS, leaveBy, minutesOf, snapshot, steady, stepsOf, typical } from './leave-by-of.ts'

describe('the plan', () => {
  it.each([
    ['YVR', '2026-11-26T08:00', '2026-11-26T15:00:00Z', /-07:00$/],
    ['YYC', '2026-11-26T08:00', '2026-11-26T14:00:00Z', /-06:00$/],
    ['CMN', '2026-11-26T08:00', '2026-11-26T08:00:00Z', /\+00:00$/],
    ['YWG', '2026-11-26T08:00', '2026-11-26T13:00:00Z', /-05:00$/],
  ])('%s: a departure at %s local time is at %s by the rules of 2026', (iata, departure, instant, offset) => {
    const answer = leaveBy(
      { iata, departure, travel_minutes: 45 },
      'pro',
      snapshotAt(NOW, { forecasts: [typical(iata)] }),
    )
    expect(answer.departure).toBe(instant)
    expect(answer.recommended!.leave_at_local).toMatch(offset)
    expect(Date.parse(answer.recommended!.leave_at)).toBeLessThan(Date.parse(instant) - 90 * MINUTE_MS)
  })

  it('counts from the door to the gate, rounds down to five minutes and holds what it states', () => {
    const answer = leaveBy({ travel_minutes: 45 })
    expect(answer).toMatchObject({ airport: 'JFK', departure: '2026-11-22T13:30:00Z', outcome: 'recommended' })
    expect(stepsOf(answer)).toEqual(['travel', 'security', 'walk_to_gate'])
    const { leave_at, leave_at_local, arrive_at, probability } = answer.recommended!
    expect(leave_at_local).toMatch(/T0\d:\d[05]:00-05:00$/)
    expect(minutesOf(arrive_at) - minutesOf(leave_at)).toBe(45)
    expect(probability).toBeGreaterThanOrEqual(0.95)
    expect(minutesOf(answer.required_at) - minutesOf(leave_at)).toBeLessThan(5)
    expect(answer.dominated_by).toBe('security')
    expect(answer.security_hours).toBe('not_known')
  })

  it('takes every constant from a page, from the caller or as an assumption that says so', () => {
    const answer = leaveBy({ bags: true, destination: 'LHR', airline: 'AA' })
    for (const { source, basis } of [...answer.steps, ...answer.deadlines]) {
      expect(source).not.toBe('')
      if (basis === 'published') expect(source).toMatch(/https?:\/\//)
    }
    for (const { name, source } of answer.assumptions) expect(source.length, name).toBeGreaterThan(5)
    for (const name of ['travel_minutes', 'walk_to_gate', 'bag_drop', 'bag_drop_closes', 'international'])
      expect(assumed(answer, name), name).toBeDefined()
  })

  it('each step has its long tail, and security the chance of a long wait, none of them in disorder', () => {
    const { steps } = leaveBy({ bags: true, terminal: '4' }, 'enterprise')
    for (const { step, p50_minutes, p90_minutes, p95_minutes, p99_minutes, over_15, over_30 } of steps) {
      const tail = [p50_minutes, p90_minutes, p95_minutes, p99_minutes]
      expect(tail, step).toEqual(tail.toSorted((a, b) => a - b))
      expect([over_15 === undefined, over_30 === undefined], step).toEqual([step !== 'security', step !== 'security'])
    }
    // Quantiles of 2, 4 and 8 minutes: the tail above the 90th percentile falls by e in 1.6 × √4 minutes.
    const security = steps.find(({ step }) => step === 'security')!
    expect(security).toMatchObject({ p50_minutes: 4, p90_minutes: 8 })
    expect(Math.abs(security.p95_minutes - (8 + 3.2 * Math.log(2)))).toBeLessThan(1)
    expect(Math.abs(security.p99_minutes - (8 + 3.2 * Math.log(10)))).toBeLessThan(2)
    expect(security.over_15).toBeCloseTo(0.1 * Math.exp(-7 / 3.2), 1)
    const whole = leaveBy({}).steps.find(({ step }) => step === 'security')!
    expect(whole.over_15).toBeGreaterThan(security.over_15!)
    expect(whole.over_30).toBeLessThan(whole.over_15!)
  })

  it('the way to the airport may be uncertain, and then counts as such', () => {
    const exact = leaveBy({ travel_minutes: 45 })
    const uncertain = leaveBy({ travel_minutes: 45, travel_p90_minutes: 90 })
    expect(minutesOf(uncertain.required_at)).toBeLessThan(minutesOf(exact.required_at) - 20)
    expect(uncertain.dominated_by).toBe('travel')
    expect(exact.steps[0]!.note).toContain('taken as certain')
  })

  it('what would help is computed anew, the most helpful first', () => {
    const answer = leaveBy({ bags: true, travel_minutes: 30 })
    expect(answer.what_if.map(({ change }) => change)).toEqual([
      'carry_on_only',
      'precheck',
      'bad_day_on_the_road',
      'international_flight',
      'leave_20_minutes_earlier',
    ])
    const [carryOn] = answer.what_if
    const without = leaveBy({ travel_minutes: 30 })
    expect(carryOn!.leave_at).toBe(without.recommended?.leave_at)
    expect(carryOn!.minutes_later).toBe(minutesOf(carryOn!.leave_at) - minutesOf(answer.recommended!.leave_at))
    const earlier = answer.what_if.at(-1)!
    expect(earlier.probability).toBeGreaterThan(answer.recommended!.probability)
  })

  it('P99 is not later than P90, nor P90 than P50; the curve falls; more to do is never later', {
    timeout: 60_000,
  }, () => {
    const airports = fc.constantFrom('JFK', 'ATL', 'LIS', 'DUB', 'SIN', 'BTV')
    const trip = fc.record({
      iata: airports,
      hour: fc.integer({ min: 2, max: 160 }),
      international: fc.boolean(),
      travel_minutes: fc.nat(120),
      confidence: fc.double({ min: 0.5, max: 0.99, noNaN: true }),
    })
    fc.assert(
      fc.property(trip, ({ iata, hour, ...input }) => {
        const request = { iata, departure: isoUtc(THIS_HOUR + hour * HOUR_MS), ...input }
        const plain = leaveBy(request)
        const { p50, p90, p99 } = plain.leave_times
        const times = [p99, p90, p50].flatMap((option) => (option ? [minutesOf(option.leave_at)] : []))
        expect(times).toEqual(times.toSorted((a, b) => a - b))
        const chances = plain.curve.map(({ probability }) => probability)
        expect(chances).toEqual(chances.toSorted((a, b) => b - a))
        for (const chance of chances) expect(chance >= 0 && chance <= 0.99).toBe(true)
        const bags = leaveBy({ ...request, bags: true })
        const further = leaveBy({ ...request, travel_minutes: input.travel_minutes + 20 })
        for (const more of [bags, further])
          expect(minutesOf(more.required_at)).toBeLessThanOrEqual(minutesOf(plain.required_at))
      }),
      { numRuns: repetitions(5, 60) },
    )
  })
})

describe('times that are hard to keep', () => {
  const soon = (minutes: number, more: object = {}) =>
    leaveBy({ departure: isoUtc(NOW + minutes * MINUTE_MS), ...more })

  it('too late for the required chance: leave now, with the chance that is left and the time that has passed', () => {
    const answer = soon(65)
    expect(answer.outcome).toBe('late')
    expect(answer.recommended).toMatchObject({ leave_at: isoUtc(NOW) })
    expect(answer.recommended!.probability).toBeGreaterThan(0.3)
    expect(answer.recommended!.probability).toBeLessThan(0.95)
    expect(minutesOf(answer.required_at)).toBeLessThan(minutesOf(isoUtc(NOW)))
  })

  it('missed: nothing is recommended, but what would still do', () => {
    const answer = soon(60, { bags: true, travel_minutes: 20 })
    expect([answer.outcome, answer.recommended]).toEqual(['missed', null])
    expect(answer.unavailable_reason).toContain('can no longer be caught')
    expect(answer.what_if.find(({ change }) => change === 'carry_on_only')!.probability).toBeGreaterThan(0.1)
  })

  it('a flight before security opens is not too late: no time would do', () => {
    const series = steady('JFK', 3, 6, 12)
    series.open.fill(100)
    const hourAt = (local: string) => (Date.parse(`2026-11-22T${local}:00-05:00`) - THIS_HOUR) / HOUR_MS
    for (const hour of ['00:00', '01:00', '02:00', '03:00', '04:00']) series.open[hourAt(hour)] = 2
    const early = leaveBy({ departure: '2026-11-22T05:10' }, 'pro', snapshotAt(NOW, { forecasts: [series] }))
    expect([early.outcome, early.unavailable_reason]).toEqual([
      'missed',
      'security is not expected to open in time for the flight',
    ])
    expect(departureWords(early)).toMatchObject({
      lead: 'Security opens at 05:00, too late for your 05:10 flight from JFK on Sun 22 Nov. Ask the airline now: security may open earlier for the flight, or the flight leave later.',
      risk: [],
    })
  })

  it('an early flight: security that opens late limits the chance, and leaving earlier does not help', () => {
    // Five hours are closed from midnight in New York; the hour of 04 is open for its second half.
    const series = steady('JFK', 3, 6, 12)
    series.open.fill(100)
    const hourAt = (local: string) => (Date.parse(`2026-11-22T${local}:00-05:00`) - THIS_HOUR) / HOUR_MS
    for (const hour of ['00:00', '01:00', '02:00', '03:00']) series.open[hourAt(hour)] = 2
    series.open[hourAt('04:00')] = 50
    const early = leaveBy(
      { departure: '2026-11-22T05:10', travel_minutes: 30 },
      'pro',
      snapshotAt(NOW, { forecasts: [series] }),
    )
    expect(early).toMatchObject({
      outcome: 'best_possible',
      dominated_by: 'security_opening',
      security_hours: 'known',
      security_opens_at_local: '2026-11-22T04:30:00-05:00',
    })
    const { arrive_at_local, probability } = early.recommended!
    expect(arrive_at_local.slice(11, 16) <= '04:30').toBe(true)
    expect(probability).toBeLessThan(0.95)
    expect(early.curve[0]!.probability).toBe(probability)
    const planAt = (departure: string) => leaveBy({ departure }, 'pro', snapshotAt(NOW, { forecasts: [series] }))
    expect(planAt('2026-11-22T07:00').outcome).toBe('recommended')
    const hardly = planAt('2026-11-22T04:55')
    expect(hardly.outcome).toBe('best_possible')
    expect(departureWords(hardly).lead).toMatch(/does not help\. Ask the airline before you set out\.$/)
    expect(departureWords(early).lead).not.toContain('Ask the airline')
  })

  it('that security is open now says nothing of its night: the second sentence says that it is not known', () => {
    const series = steady('JFK', 3, 6, 12)
    series.open[0] = 97
    const night = leaveBy({ departure: '2026-11-22T03:30' }, 'pro', snapshotAt(NOW, { forecasts: [series] }))
    expect(night.security_hours).toBe('not_known')
    expect(assumed(night, 'security_open')).toMatchObject({ value: true })
    expect(departureWords(night).risk[0]).toBe(
      'Whether security is open at that hour is not known here: ask the airport.',
    )
  })

  it('a queue that is closed until nobody knows when makes every probability conditional on its opening', () => {
    const over = snapshotAt(NOW, { queues: { 'JFK security': closedUnknown(NOW) }, forecasts: FORECASTS })
    const near = leaveBy({ departure: isoUtc(NOW + 5 * HOUR_MS) }, 'free', over)
    expect(near).toMatchObject({ outcome: 'recommended', security_now: 'closed', security_opens_at: null })
    const security = near.steps.find(({ step }) => step === 'security')!
    expect(near.security_must_open_by).toBe(security.begins_at)
    const words = departureWords(near)
    const clock = security.begins_at_local.slice(11, 16)
    expect(words.lead).toMatch(
      new RegExp(
        `^Security is closed now, and when it opens is not known\\. If it is open by ${clock}: be at JFK by ${clock} on Sat 21 Nov: 9\\d % likely`,
      ),
    )
    expect(words.risk.join(' ')).not.toContain('closed now')
    const night = near.steps.map((step) => ({
      ...step,
      begins_at_local: step.begins_at_local.replace(/T\d\d/, 'T03'),
    }))
    const { risk } = departureWords({ ...near, steps: night, security_hours: 'not_known' })
    expect(risk.join(' ')).not.toContain('Whether security is open')
    // The forecast has security closed for two hours more, so the plan waits for that opening.
    const series = steady('JFK', 3, 6, 12)
    series.open.fill(0, 0, 3)
    const waits = leaveBy(
      { departure: isoUtc(NOW + 3 * HOUR_MS) },
      'free',
      snapshotAt(NOW, { queues: { 'JFK security': closedUnknown(NOW) }, forecasts: [series] }),
    )
    const { security_must_open_by: openBy, steps: planned } = waits
    const served = series.start_ms + 3 * HOUR_MS
    expect(Date.parse(planned[0]!.begins_at)).toBeLessThan(served)
    expect(openBy).toBe(isoUtc(served))
    const later = leaveBy({ departure: isoUtc(NOW + 20 * HOUR_MS) }, 'free', over)
    expect(later.security_must_open_by).toBeNull()
    expect(departureWords(later).risk.join(' ')).not.toContain('closed now')
    const reopening = { ...closedUnknown(NOW), reopens_at: isoUtc(NOW + HOUR_MS), reopens_basis: 'measured' as const }
    const known = leaveBy(
      { departure: isoUtc(NOW + 5 * HOUR_MS) },
      'free',
      snapshotAt(NOW, { queues: { 'JFK security': reopening }, forecasts: FORECASTS }),
    )
    expect(known.security_must_open_by).toBeNull()
    expect(departureWords(known).risk.join(' ')).toContain('Security is closed now.')
  })

  it('where only PreCheck is open, security is closed for everybody else until it opens', () => {
    const opens = isoUtc(NOW + 3 * HOUR_MS)
    const over = snapshotAt(NOW, { queues: { 'JFK security': preCheckOnly(NOW, 3, opens) }, forecasts: FORECASTS })
    const departure = isoUtc(NOW + 3 * HOUR_MS)
    const standard = leaveBy({ departure }, 'free', over)
    expect(standard).toMatchObject({ outcome: 'missed', security_now: 'closed', security_open_lanes: ['precheck'] })
    expect(departureWords(standard).lead).toMatch(
      /^Security is closed now for all but PreCheck and is not expected to open in time for your 12:20 flight .* Ask the airline now/,
    )
    const own = leaveBy({ departure, lane: 'precheck' }, 'free', over)
    expect(own).toMatchObject({ outcome: 'recommended', security_now: 'open', security_open_lanes: [] })
    expect(standard.what_if.find(({ change }) => change === 'precheck')?.probability).toBeGreaterThan(0.9)
    expect(departureWords(standard).changes).toEqual(['With PreCheck you are likelier to make it.'])
    // Who has another lane than the one that is open stands before a closed door too.
    expect(leaveBy({ departure, lane: 'priority' }, 'free', over).security_now).toBe('closed')
  })

  it('a closure whose end nobody knows is not said to end where the forecast of the hours ends', () => {
    const open = new Uint8Array(168).fill(UNKNOWN_OPEN)
    open.set([3, 35])
    const over = snapshotAt(NOW, {
      queues: { 'JFK security': closedUnknown(NOW) },
      forecasts: [Object.assign(steady('JFK', 6, 12, 25), { open })],
    })
    const answer = leaveBy({ departure: isoUtc(NOW + 6 * HOUR_MS) }, 'pro', over)
    expect(answer).toMatchObject({ security_now: 'closed', security_opens_at: null })
    const known = Uint8Array.from(open).fill(99, 2)
    const opens = snapshotAt(NOW, { forecasts: [Object.assign(steady('JFK', 6, 12, 25), { open: known })] })
    expect(leaveBy({ departure: isoUtc(NOW + 6 * HOUR_MS) }, 'pro', opens).security_opens_at).not.toBeNull()
  })

  it('an airport without scheduled flights has no figure', () => {
    const small = directory.all.find(({ scheduled_service, size }) => !scheduled_service && size === 'small')!.iata
    const answer = leaveBy({ iata: small, departure: isoUtc(NOW + 5 * HOUR_MS) })
    expect(answer).toMatchObject({ outcome: 'no_figure', recommended: null, steps: [] })
    expect(answer.unavailable_reason).toContain('no scheduled flights')
  })
})

describe('how far it sees', () => {
  it('a forecast within the horizon of the tier, later the usual pattern, with its wider spread', () => {
    const hours = Array.from({ length: 28 * 24 }, (_, back) => THIS_HOUR - (28 * 24 - back) * HOUR_MS)
    const history = [historyOf('JFK', hours, (index) => 50 + ((index * 37) % 300))]
    const known = snapshotAt(NOW, { forecasts: FORECASTS, history })
    const kinds = (departure: string) =>
      (['free', 'pro', 'enterprise'] as const).map((tier) => leaveBy({ departure }, tier, known).forecast?.kind)
    expect(kinds('2026-11-22T08:30')).toEqual(['forecast', 'forecast', 'forecast'])
    expect(kinds('2026-11-26T08:30')).toEqual(['usual', 'usual', 'forecast'])
    expect(kinds('2027-03-03T08:30')).toEqual(['usual', 'usual', 'usual'])
    expect(leaveBy({ departure: '2027-03-03T08:30' }).forecast).toMatchObject({ kind: 'typical', basis: 'typical' })
    const usual = leaveBy({ departure: '2027-03-03T08:30' }, 'pro', known)
    expect(usual.steps.find(({ step }) => step === 'security')!.note).toContain('the usual pattern')
  })

  it('names the tier whose forecast reaches the day', () => {
    const planFor = (tier: Tier) => leaveBy({ departure: '2026-11-26T08:30' }, tier)
    expect([planFor('free'), planFor('enterprise')].map(({ forecast }) => forecast!.reached_by)).toEqual([
      'Enterprise',
      null,
    ])
    expect(departureWords(planFor('free')).risk.join(' ')).toContain(
      'forecasts of that day are part of the Enterprise plan',
    )
    const later = leaveBy({ departure: '2027-03-03T08:30' }, 'free')
    expect(departureWords(later).risk.join(' ')).toContain('no forecast is known for that time')
  })

  it('waits that jump between hours are interpolated, so that no minute has two probabilities', () => {
    const series = steady('JFK', 2, 4, 8)
    const jump = (Date.parse('2026-11-22T12:00:00Z') - THIS_HOUR) / HOUR_MS
    for (const values of [series.p10, series.p50, series.p90])
      for (let hour = jump; hour < jump + 10; hour += 1) values[hour] = values[hour]! + 450
    const answer = leaveBy({ departure: '2026-11-22T09:30' }, 'pro', snapshotAt(NOW, { forecasts: [series] }))
    const { p50, p90, p99 } = answer.leave_times
    expect(new Set([p50, p90, p99].map((option) => option!.leave_at)).size).toBe(3)
    expect(minutesOf(p50!.leave_at)).toBeGreaterThan(minutesOf(p90!.leave_at) + 2)
  })

  it('the forecast of a terminal is for Enterprise; others are told that the whole airport counts', () => {
    const security = (tier: Tier) => leaveBy({ terminal: 'Terminal 4' }, tier).steps[0]!
    expect(security('enterprise').p50_minutes).toBe(4)
    expect(security('pro').p50_minutes).toBeGreaterThan(8)
    const whole = (terminal: string, tier: Tier) => assumed(leaveBy({ terminal }, tier), 'terminal')
    const value = 'the whole airport'
    expect(whole('4', 'pro')).toEqual({
      name: 'terminal',
      value,
      source: 'assumed: a forecast of Terminal 4 needs Enterprise',
    })
    expect(whole('8', 'enterprise')).toMatchObject({ value, source: 'assumed: there is no forecast of Terminal 8' })
  })

  it('counts the eve of Thanksgiving and says so', () => {
    const eve = leaveBy({ iata: 'ATL', departure: '2026-11-25T08:30' })
    const plain = leaveBy({ iata: 'ATL', departure: '2026-12-09T08:30' })
    expect(eve.peak).toMatchObject({ name: 'the day before Thanksgiving Day', factor: 1.38 })
    expect(plain.peak).toBeNull()
    const lead = (answer: LeaveBy) => minutesOf(answer.departure) - minutesOf(answer.required_at)
    expect(lead(eve)).toBeGreaterThan(lead(plain) + 3)
  })
})

describe('over REST and MCP', () => {
  it('answers any tier, with the same body as the full answer of the tool', async () => {
    const harness = await openHarness({}, { directory })
    harness.controls.snapshot = snapshot
    const query = 'departure=2026-11-22T17:30&destination=LHR&bags=true&travel_minutes=45&confidence=0.9&lane=standard'
    const input = {
      iata: 'JFK',
      departure: '2026-11-22T17:30',
      destination: 'LHR',
      bags: true,
      travel_minutes: 45,
      confidence: 0.9,
      lane: 'standard',
    }
    const answers = await Promise.all(
      (['free', 'pro', 'enterprise'] as const).map((tier) =>
        harness.call(tier, `/api/v1/airports/JFK/leave-by?${query}`),
      ),
    )
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200])
    const client = await connect(harness, 'free', 'client 2')
    const { structuredContent, content } = await callTool(client, 'get_best_time_to_fly', { ...input, detail: 'full' })
    const { more, ...full } = structuredContent as { more: string | null }
    expect([more, full]).toEqual([null, answers[0]!.json()])
    expect(content[0]!.text).toMatch(
      /^Leave for JFK at 15:\d\d on Sun 22 Nov: 9\d % likely to make your flight\. The risk is mostly/,
    )
    expect(content[0]!.text).toMatch(/^- 1\d:\d\d security: \d+ min/m)
    const brief = await callTool(client, 'get_best_time_to_fly', { iata: 'JFK', departure: 'tomorrow 5:30 pm' })
    expect(brief.structuredContent).toMatchObject({
      more: expect.stringContaining('/airports/JFK/leave-by?departure=2026-11-22T22%3A30%3A00Z'),
    })
    const counted = await harness.call('free', '/api/v1/airports/JFK/leave-by?departure=2026-11-22T17:30&bags=2')
    expect(counted.json().steps[0].step).toBe('bag_drop')
    const past = await harness.call('free', '/api/v1/airports/JFK/leave-by?departure=2026-11-20T17:30')
    expect([past.statusCode, past.json()]).toMatchObject([400, { code: 'INVALID_PARAMETER' }])
    const none = await harness.call('free', '/api/v1/airports/JFK/leave-by')
    expect([none.statusCode, none.json().errors]).toMatchObject([400, [{ parameter: 'departure' }]])
  })

  it('an answer is as of its minute, although the snapshot is the same', async () => {
    const harness = await openHarness({}, { directory })
    harness.controls.snapshot = snapshot
    const ask = () => harness.call('free', '/api/v1/airports/JFK/leave-by?departure=2026-11-21T10:25')
    const first = await ask()
    expect(first.headers['cache-control']).toMatch(/max-age=([0-9]|[1-5][0-9]|60)$/)
    harness.controls.now = NOW + 2 * MINUTE_MS
    const later = (await ask()).json() as LeaveBy
    expect([first.json().outcome, later.outcome]).toEqual(['late', 'late'])
    expect(later.recommended!.leave_at).toBe(isoUtc(NOW + 2 * MINUTE_MS))
    expect(later.recommended!.probability).toBeLessThan(first.json().recommended.probability)
  })
})

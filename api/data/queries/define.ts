import type { z } from 'zod'
import type { Directory } from '../../../config/airports/directory.ts'
import type { Tier } from '../../../config/domain.ts'
import { HoldshortError, ParameterError, PremiumRequiredError } from '../../../config/errors.ts'
import type { Settings } from '../../../config/settings.ts'
import { TIERS, tierCovers } from '../../../config/tiers.ts'
import type { CallClient } from '../../../jobs/calls/define-call.ts'
import type { Snapshot } from '../../../warehouse/serving/snapshot/types.ts'
import type { Actor } from '../../state/actor.ts'
import type { State } from '../../state/state.ts'
import type { Caller } from '../gate/admission.ts'
import { parameterFaults } from './parameter-faults.ts'

/** All that an answer may depend on besides its input. */
export interface QueryContext {
  snapshot: Snapshot
  directory: Directory
  tier: Tier
  /** Epoch milliseconds. */
  now: number
}

/** What a question about the past may use besides. */
export interface ArchiveContext extends QueryContext {
  /** Calls the pipeline; absent or null when the service is not connected to one. */
  pipelineClient?: CallClient | null
  /** How many days back forecasts and rollups are kept. */
  settings: Pick<Settings, 'forecasts_days' | 'rollups_days'>
  /** Fires when the caller has gone. */
  signal?: AbortSignal
}

/** What a question may use besides that takes its time: that goes out to the sources, or writes for its caller. */
export interface AsyncContext extends ArchiveContext {
  state: State
  caller: Caller
  /** The site's address, for pages that a person is to open. */
  site_url: string
  /** Who does it and from which address, for the audit. */
  by: Actor
  /** Fires when the caller has gone. */
  signal: AbortSignal
}

type Shape = z.core.$ZodLooseShape

/** One row of a CSV answer. */
export type CsvRow = Record<string, string | number | boolean | null | undefined>

/** Where a query stands in the REST API. */
export interface RestPlace {
  method: 'GET' | 'POST'
  /** Below /api/v1, in Fastify's spelling: /airports/:iata/delays */
  path: string
  /** Makes the rows of `Accept: text/csv`, with the columns in order, and those more with `as_of`; absent where there is no CSV. */
  csv?: { columns: string[]; asOfColumns?: string[]; rows: (answer: never) => CsvRow[] }
}

interface Declared<I extends Shape, O extends Shape> {
  /** The operation id in OpenAPI. */
  name: string
  summary: string
  description: string
  /** The lowest tier that may ask. */
  tier: Tier
  /** Null for a question that only MCP asks. */
  rest: RestPlace | null
  input: z.ZodObject<I, z.core.$strict>
  output: z.ZodObject<O, z.core.$strict>
}
type Given<I extends Shape> = z.output<z.ZodObject<I, z.core.$strict>>
type Answered<O extends Shape> = z.input<z.ZodObject<O, z.core.$strict>>

interface Definition<I extends Shape, O extends Shape> extends Declared<I, O> {
  answer: (input: Given<I>, context: QueryContext) => Answered<O>
  /** Answers an input with `as_of`, where the question takes one. */
  answerAsOf?: (input: Given<I> & { as_of: string }, context: ArchiveContext) => Promise<Answered<O>>
}

interface AsyncDefinition<I extends Shape, O extends Shape> extends Declared<I, O> {
  answer: (input: Given<I>, context: AsyncContext) => Promise<Answered<O>>
}

interface Asked<Context, Result> {
  readonly name: string
  readonly summary: string
  readonly description: string
  readonly tier: Tier
  readonly rest: RestPlace | null
  readonly input: z.ZodObject
  readonly output: z.ZodObject
  /**
   * Checks tier and input, answers, and checks the answer against its schema.
   * @throws PremiumRequiredError, ParameterError, HoldshortError AIRPORT_NOT_FOUND
   */
  readonly run: (input: unknown, context: Context) => Result
}

type Result = Record<string, unknown>

/** One question the service answers from its snapshot, at once. REST and MCP are two faces of its `run`. */
export interface Query extends Asked<QueryContext, Result> {
  /** What `run` answers depends on nothing but input and context, and may be kept as long as the snapshot. */
  readonly atOnce: true
  /** The same as of an instant of the past, which takes its time. @throws HoldshortError ARCHIVE_UNAVAILABLE besides */
  readonly runAsOf?: (input: unknown, context: ArchiveContext) => Promise<Result>
}

/** One question whose answer takes its time. @throws HoldshortError LIVE_UNAVAILABLE besides */
export interface AsyncQuery extends Asked<AsyncContext, Promise<Result>> {
  readonly atOnce: false
}

/** Declares a query; its `run` parses input and output, so that no face can forget to. */
export function defineQuery<const I extends Shape, const O extends Shape>(definition: Definition<I, O>): Query {
  const { answer, answerAsOf, ...rest } = definition
  return {
    ...rest,
    atOnce: true,
    run(input, context) {
      const given = checkInput(definition, input, context.tier)
      if (asksOfThePast(given)) throw new TypeError(`${definition.name} with as_of is asked by runAsOf`)
      return checkOutput(definition, answer(given, context))
    },
    ...(answerAsOf && {
      async runAsOf(input, context) {
        const given = checkInput(definition, input, context.tier)
        return checkOutput(definition, await answerAsOf(given as typeof given & { as_of: string }, context))
      },
    }),
  }
}

/** Whether an input, as a caller gave it, asks how something stood at an instant of the past. */
export function asksOfThePast(input: unknown): boolean {
  return typeof input === 'object' && input !== null && (input as { as_of?: unknown }).as_of !== undefined
}

/** What a query answers, whether at once or in its time. */
export async function answerOf(query: Query | AsyncQuery, input: unknown, context: AsyncContext): Promise<Result> {
  if ('runAsOf' in query && query.runAsOf && asksOfThePast(input)) return query.runAsOf(input, context)
  return query.run(input, context)
}

/** The same for a query whose answer takes its time. */
export function defineAsyncQuery<const I extends Shape, const O extends Shape>(
  definition: AsyncDefinition<I, O>,
): AsyncQuery {
  const { answer, ...rest } = definition
  return {
    ...rest,
    atOnce: false,
    run: async (input, context) =>
      checkOutput(definition, await answer(checkInput(definition, input, context.tier), context)),
  }
}

function checkInput<I extends Shape, O extends Shape>(declared: Declared<I, O>, input: unknown, tier: Tier): Given<I> {
  if (!tierCovers(tier, declared.tier)) throw tierTooLow(declared.tier, tier)
  const parsed = declared.input.safeParse(input)
  if (!parsed.success) throw new ParameterError(parameterFaults(parsed.error, declared.input))
  return parsed.data
}

function checkOutput<I extends Shape, O extends Shape>({ name, output }: Declared<I, O>, answer: Answered<O>): Result {
  const checked = output.safeParse(answer)
  if (checked.success) return checked.data as Result
  throw new HoldshortError('INTERNAL', `${name} gave an answer that breaks its schema`, { cause: checked.error })
}

/** Whether the caller's tier is told of terminals. */
export const seesTerminals = ({ tier }: QueryContext) => TIERS[tier].granularity === 'terminal'

/** The refusal of a whole operation to a tier. */
export function tierTooLow(required: Tier, held: Tier): PremiumRequiredError {
  const tier = required === 'enterprise' ? 'enterprise' : 'pro'
  return new PremiumRequiredError(
    tier,
    `this needs a key of the ${TIERS[tier].name} tier${tier === 'pro' ? ' or higher' : ''}; yours is ${TIERS[held].name}`,
  )
}

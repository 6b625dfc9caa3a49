import type { z } from 'zod'
import type { Directory } from '../../config/airports/directory.ts'
import { noFlightsText } from '../../config/airports/without-flights.ts'
import { HoldshortError, ParameterError, PremiumRequiredError } from '../../config/errors.ts'
import { partOfTier, TIERS, tierCovers } from '../../config/tiers.ts'
import { withCleanTexts } from '../../config/untrusted-text.ts'
import type { Tier } from '../../config/vocabulary.ts'
import type { Snapshot } from '../../warehouse/publishing/snapshot/snapshot.ts'
import { parameterFaults, refuseHiddenText } from './parameter-faults.ts'
import { presentCodes, withMeantAirports } from './present-codes.ts'

/** Everything that an answer may depend on besides its input. */
export interface QueryContext {
  snapshot: Snapshot
  directory: Directory
  tier: Tier
  /** Epoch milliseconds. */
  now: number
  /** Parameters listed by the error of an unknown one, if a caller may give more than the question has, like `detail` of a tool, or less. */
  known_parameters?: readonly string[]
}

export type ZodShape = z.core.$ZodLooseShape

/** One row of a CSV answer. */
export type CsvRow = Record<string, string | number | boolean | null | undefined>

/** The REST route of a query. */
export interface RestRoute {
  summary: string
  description: string
  method: 'GET' | 'POST'
  /** Below /api/v1, in Fastify's notation: /airports/:iata/delays */
  path: string
  /** The answer changes with the clock, not only with the snapshot: it is made anew every minute. */
  changesEveryMinute?: true
  /** The CSV form of the answer: its columns in order, and its rows. Absent: no CSV. */
  csv?: { columns: string[]; rows: (answer: never) => CsvRow[] }
}

export interface QueryDeclaration<I extends ZodShape, O extends ZodShape> {
  /** The operation id in OpenAPI. */
  name: string
  /** The lowest tier that may use the query. @default 'free' */
  tier?: Tier
  /** Absent for a query that only MCP offers. */
  rest?: RestRoute
  input: z.ZodObject<I, z.core.$strict>
  output: z.ZodObject<O, z.core.$strict>
}
export type ParsedInput<I extends ZodShape> = z.output<z.ZodObject<I, z.core.$strict>>
export type UnparsedOutput<O extends ZodShape> = z.input<z.ZodObject<O, z.core.$strict>>

interface QueryDefinition<I extends ZodShape, O extends ZodShape> extends QueryDeclaration<I, O> {
  answer: (input: ParsedInput<I>, context: QueryContext) => UnparsedOutput<O>
  /** Prepares the first answer from a snapshot; it takes long, and so awaits `nextSlice` between its parts. */
  prepare?: (context: QueryContext) => Promise<void>
}

export type Answer = Record<string, unknown>

export interface RunnableQuery<Context, Result> {
  readonly name: string
  readonly tier: Tier
  readonly rest: RestRoute | null
  readonly input: z.ZodObject
  readonly output: z.ZodObject
  /**
   * Checks tier and input, answers, and checks the answer against its schema; `unchecked` where the caller sends only what it makes of
   * the answer, and checks that.
   * @throws PremiumRequiredError, ParameterError, HoldshortError AIRPORT_NOT_FOUND
   */
  readonly run: (input: unknown, context: Context, unchecked?: boolean) => Result
}

/** A query that is answered from the snapshot. REST and MCP both call its `run`. */
export interface Query extends RunnableQuery<QueryContext, Answer> {
  /** The answer of `run` depends only on input and context, so it may be cached as long as the snapshot. */
  readonly synchronous: true
  /** The list of an answer that may have thousands of rows. */
  readonly list?: string
  /** The same as `run` in slices, for answers that would hold the event loop too long. */
  readonly runInSlices?: (input: unknown, context: QueryContext, unchecked?: boolean) => Promise<Answer>
}

/** The defaults of a declaration. */
export const BY_DEFAULT = { tier: 'free', rest: null } as const

/** Declares a query. Its `run` parses input and output, so that neither REST nor MCP can skip it. */
export function defineQuery<const I extends ZodShape, const O extends ZodShape>(
  definition: QueryDefinition<I, O>,
): Query {
  const { answer, prepare, ...declaration } = definition
  const run: Query['run'] = (input, context, unchecked = false) => {
    const { data, notes } = checkInput(definition, input, context)
    const whole = { ...answer(data, context), ...notes }
    return unchecked ? whole : checkOutput(definition, whole)
  }
  return {
    ...BY_DEFAULT,
    ...declaration,
    synchronous: true,
    run,
    ...(prepare && {
      async runInSlices(input, context, unchecked) {
        checkInput(definition, input, context)
        await prepare(context)
        return run(input, context, unchecked)
      },
    }),
  }
}

/** A parsed input with the present codes of airports, and what its answer says besides. */
interface CheckedInput<I extends ZodShape> {
  data: ParsedInput<I>
  notes: Notes
}

/** Remarks beside an answer: about the code that was sent, and that no airline flies there. */
interface Notes {
  notice?: string
  no_flights?: string
}

export function checkInput<I extends ZodShape, O extends ZodShape>(
  declaration: QueryDeclaration<I, O>,
  input: unknown,
  { tier, directory, known_parameters }: QueryContext,
): CheckedInput<I> {
  // Before the input: a corrected call would be refused all the same.
  const { tier: required = BY_DEFAULT.tier } = declaration
  if (!tierCovers(tier, required)) throw tierTooLow(declaration.rest?.path, required, tier)
  refuseHiddenText(input)
  const { data: present, notice } = presentCodes(input, directory)
  const parsed = declaration.input.safeParse(present)
  if (!parsed.success) {
    // Once more, because the values are wanted for errors alone.
    const { error = parsed.error } = declaration.input.safeParse(present, { reportInput: true })
    const faults = parameterFaults(error, declaration.input, known_parameters)
    throw new ParameterError(withMeantAirports(faults, input, directory))
  }
  const ended = 'no_flights' in declaration.output.shape ? noFlightsAt(parsed.data) : null
  return {
    data: parsed.data,
    notes: { ...(notice !== null && { notice }), ...(ended !== null && { no_flights: ended }) },
  }
}

/** Why no airline flies from the airport that an input names; null if some may, or none is named. */
const noFlightsAt = ({ iata }: { iata?: unknown }): string | null =>
  typeof iata === 'string' ? noFlightsText(iata) : null

export function checkOutput<I extends ZodShape, O extends ZodShape>(
  declaration: QueryDeclaration<I, O>,
  answer: UnparsedOutput<O>,
): Answer {
  return checkedOutput(declaration, declaration.output, answer) as Answer
}

export function checkedOutput({ name }: { name: string }, schema: z.ZodType, part: unknown): unknown {
  const checked = schema.safeParse(part)
  // Rows that were stored before texts were cleaned at the door are cleaned here.
  if (checked.success) return withCleanTexts(checked.data)
  throw new HoldshortError('INTERNAL', `${name} gave an answer that does not match its schema`, {
    cause: checked.error,
  })
}

/** The refusal of a route or tool, with what the tier of the caller has of it. */
function tierTooLow(path: string | undefined, required: Tier, held: Tier): PremiumRequiredError {
  const tier = required === 'enterprise' ? 'enterprise' : 'pro'
  const has = path === undefined ? null : partOfTier(path, held)
  return new PremiumRequiredError(
    tier,
    `this needs a key of the ${TIERS[tier].name} tier${tier === 'pro' ? ' or higher' : ''}; yours is ${TIERS[held].name}${has === null ? '' : `, which has ${has}`}`,
  )
}

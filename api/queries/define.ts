import type { z } from 'zod'
import type { Directory } from '../../config/airports/directory.ts'
import type { Tier } from '../../config/domain.ts'
import { HoldshortError, ParameterError, PremiumRequiredError } from '../../config/errors.ts'
import { TIERS, tierCovers } from '../../config/tiers.ts'
import type { Snapshot } from '../../warehouse/snapshot/types.ts'
import { parameterFaults } from './faults.ts'

/** All that an answer may depend on besides its input. */
export interface QueryContext {
  snapshot: Snapshot
  directory: Directory
  tier: Tier
  /** Epoch milliseconds. */
  now: number
}

type Shape = z.core.$ZodLooseShape

/** One row of a CSV answer. */
export type CsvRow = Record<string, string | number | boolean | null>

/** Where a query stands in the REST API. */
export interface RestPlace {
  method: 'GET' | 'POST'
  /** Below /api/v1, in Fastify's spelling: /airports/:iata/delays */
  path: string
  /** Makes the rows of `Accept: text/csv`, with the columns in order; absent where there is no CSV. */
  csv?: { columns: string[]; rows: (answer: never) => CsvRow[] }
}

interface Definition<I extends Shape, O extends Shape> {
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
  answer: (
    input: z.output<z.ZodObject<I, z.core.$strict>>,
    context: QueryContext,
  ) => z.input<z.ZodObject<O, z.core.$strict>>
}

/** One question the service answers. REST and MCP are two faces of its `run`. */
export interface Query {
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
  readonly run: (input: unknown, context: QueryContext) => Record<string, unknown>
}

/** Declares a query; its `run` parses input and output, so that no face can forget to. */
export function defineQuery<const I extends Shape, const O extends Shape>(definition: Definition<I, O>): Query {
  const { answer, ...rest } = definition
  return {
    ...rest,
    run(input, context) {
      if (!tierCovers(context.tier, definition.tier)) throw tierTooLow(definition.tier, context.tier)
      const parsed = definition.input.safeParse(input)
      if (!parsed.success) throw new ParameterError(parameterFaults(parsed.error, definition.input))
      const checked = definition.output.safeParse(answer(parsed.data, context))
      if (!checked.success)
        throw new HoldshortError('INTERNAL', `${definition.name} gave an answer that breaks its schema`, {
          cause: checked.error,
        })
      return checked.data as Record<string, unknown>
    },
  }
}

/** The refusal of a whole operation to a tier. */
export function tierTooLow(required: Tier, held: Tier): PremiumRequiredError {
  const tier = required === 'enterprise' ? 'enterprise' : 'pro'
  return new PremiumRequiredError(
    tier,
    `this needs a key of the ${TIERS[tier].name} tier${tier === 'pro' ? ' or higher' : ''}; yours is ${TIERS[held].name}`,
  )
}

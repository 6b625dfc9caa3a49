import {
  type Answer,
  BY_DEFAULT,
  checkInput,
  checkOutput,
  type ParsedInput,
  type Query,
  type QueryContext,
  type QueryDeclaration,
  type RunnableQuery,
  type UnparsedOutput,
  type ZodShape,
} from '../answers/questions/define.ts'
import { HoldshortError } from '../config/errors.ts'
import type { CallClient } from '../jobs/calls/define-call.ts'
import type { Caller } from './gate/admission.ts'
import type { Actor } from './state/actor.ts'
import type { State } from './state/state.ts'

/** The context of an asynchronous query, which calls the pipeline or reads and writes the state. */
export interface AsyncContext extends QueryContext {
  /** Calls the pipeline; null when the service is not connected to one. */
  pipelineClient: CallClient | null
  state: State
  caller: Caller
  site_url: string
  /** The actor and its address, for the audit. */
  by: Actor
  /** Aborts when the caller disconnects. */
  signal: () => AbortSignal
}

interface AsyncQueryDefinition<I extends ZodShape, O extends ZodShape> extends QueryDeclaration<I, O> {
  /** It writes in the name of the account, so an app that its owner connected needs the owner's leave. */
  writes?: true
  answer: (input: ParsedInput<I>, context: AsyncContext) => Promise<UnparsedOutput<O>>
}

/** A query that calls the pipeline or the state. @throws HoldshortError LIVE_UNAVAILABLE, WRITING_NOT_ALLOWED, and the errors of `Query.run` */
export interface AsyncQuery extends RunnableQuery<AsyncContext, Promise<Answer>> {
  readonly synchronous: false
  readonly writes?: true
}

/** Declares an asynchronous query; `run` parses input and output as for `defineQuery`. */
export function defineAsyncQuery<const I extends ZodShape, const O extends ZodShape>(
  definition: AsyncQueryDefinition<I, O>,
): AsyncQuery {
  const { answer, ...declaration } = definition
  return {
    ...BY_DEFAULT,
    ...declaration,
    synchronous: false,
    async run(input, context, unchecked = false) {
      const { data, notes } = checkInput(definition, input, context)
      if (definition.writes) requireLeaveToWrite(context)
      const whole = { ...(await answer(data, context)), ...notes }
      return unchecked ? whole : checkOutput(definition, whole)
    },
  }
}

/** @throws HoldshortError WRITING_NOT_ALLOWED for an app that the owner of the account lets only read */
function requireLeaveToWrite({ caller, site_url }: AsyncContext): void {
  if (caller.kind === 'key' || caller.may_write) return
  throw new HoldshortError(
    'WRITING_NOT_ALLOWED',
    `the owner of the account lets this app read only; to let it file wait reports and set alerts, the owner opens ${site_url}/dashboard#clients and allows it there`,
  )
}

/** Runs any query: in slices where it may take long. */
export async function runQuery(
  query: Query | AsyncQuery,
  input: unknown,
  context: AsyncContext,
  unchecked = false,
): Promise<Answer> {
  if (query.synchronous && query.runInSlices) return query.runInSlices(input, context, unchecked)
  return query.run(input, context, unchecked)
}

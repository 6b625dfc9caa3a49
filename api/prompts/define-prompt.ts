import { z } from 'zod'
import type { QueryContext } from '../../answers/questions/define.ts'
import { parameterFaults, refuseHiddenText } from '../../answers/questions/parameter-faults.ts'
import { resolveCode } from '../../config/airports/resolve-code.ts'
import { ParameterError } from '../../config/errors.ts'

export type PromptContext = Pick<QueryContext, 'directory' | 'now'>

/** One tool call that a prompt asks the agent to make. */
export interface PromptStep {
  tool: string
  arguments: Record<string, unknown>
  /** The purpose of the call, as it reads after “to”. */
  purpose: string
}

/** The plan that a prompt gives an agent. */
export interface PromptPlan {
  task: string
  steps: PromptStep[]
  /** The agent's answer to the person. */
  answer: string
}

/** How an argument is completed while a person types it: an airport code, a city, or one of a few words. */
export type Completion = 'airport' | 'city' | readonly string[]

type PromptArguments = Record<string, z.ZodType<unknown, string | undefined>>

interface PromptDefinition<A extends PromptArguments> {
  name: string
  title: string
  description: string
  /** The arguments. Clients send each as a text. */
  input: z.ZodObject<A, z.core.$strict>
  completes: Partial<Record<keyof A & string, Completion>>
  /** Valid arguments, for the tests and the documentation. */
  example: Record<string, string>
  plan: (input: z.output<z.ZodObject<A, z.core.$strict>>, context: PromptContext) => PromptPlan
}

/** One MCP prompt: a task that people often have, as steps with our tools. */
export interface Prompt extends Omit<PromptDefinition<PromptArguments>, 'plan' | 'input' | 'completes'> {
  input: z.ZodObject
  completes: Readonly<Record<string, Completion | undefined>>
  /** @throws ParameterError, HoldshortError AIRPORT_NOT_FOUND */
  plan: (input: unknown, context: PromptContext) => PromptPlan
}

/** Declares a prompt; its `plan` validates the arguments first. */
export function definePrompt<const A extends PromptArguments>(definition: PromptDefinition<A>): Prompt {
  const { input: schema, plan } = definition
  return {
    ...definition,
    plan(input, context) {
      refuseHiddenText(input)
      const parsed = schema.safeParse(input)
      if (!parsed.success) throw new ParameterError(parameterFaults(parsed.error, schema))
      return plan(parsed.data, context)
    },
  }
}

/** An argument with an airport code; people type IATA and ICAO codes, in upper or lower case. */
export const airportArgument = z
  .string()
  .trim()
  .toUpperCase()
  .regex(/^[A-Z][A-Z0-9]{2,3}$/, 'must be three capital letters, like JFK')

/** The first sentence of a plan about a former code: "PBI is DJT since 18 August 2026. "; empty for any other. */
export function formerCodeText(code: string | undefined, { directory }: Pick<QueryContext, 'directory'>): string {
  const notice = code === undefined ? null : resolveCode(code, directory)?.notice
  return notice ? `${notice} ` : ''
}

/** An argument that is one of a few words. */
export const choiceArgument = <const Words extends [string, ...string[]]>(words: Words) =>
  z.enum(words, `must be ${words.join(' or ')}`)

const HONESTY =
  'Say for each figure whether it is measured, reported, predicted or typical, and how old it is. Null or unknown means not known: say so, and do not guess. If an answer has `simulated: true`, say first that its figures are invented.'

/** The text of a plan: each step names the tool and the arguments to send. */
export function promptText({ task, steps, answer }: PromptPlan): string {
  const lines = steps.map(
    (step, index) =>
      `${index + 1}. Call \`${step.tool}\` with \`${JSON.stringify(step.arguments)}\` to ${step.purpose}.`,
  )
  return [task, '', ...lines, '', answer, HONESTY].join('\n')
}

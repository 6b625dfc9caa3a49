import type { z } from 'zod'
import { ParameterError } from '../../../config/errors.ts'
import type { QueryContext } from '../queries/define.ts'
import { parameterFaults } from '../queries/parameter-faults.ts'

export type PromptContext = Pick<QueryContext, 'directory' | 'now'>

/** One call of a tool that a prompt asks for. */
export interface PromptStep {
  tool: string
  arguments: Record<string, unknown>
  /** What it is for, after “to”. */
  purpose: string
}

/** What a prompt asks an agent to do. */
export interface PromptPlan {
  task: string
  steps: PromptStep[]
  /** What the answer to the person should have. */
  answer: string
}

/** What completes an argument while it is typed. */
export type Completion = 'airport' | 'city' | readonly string[]

type Shape = Record<string, z.ZodType<unknown, string | undefined>>

interface Definition<S extends Shape> {
  name: string
  title: string
  description: string
  /** Clients fill them in as texts, each from a field. */
  input: z.ZodObject<S, z.core.$strict>
  completes: Partial<Record<keyof S & string, Completion>>
  /** Arguments that it answers, for the tests and for people. */
  example: Record<string, string>
  plan: (given: z.output<z.ZodObject<S, z.core.$strict>>, context: PromptContext) => PromptPlan
}

/** One MCP prompt: a task that people often have, as steps with our tools. */
export interface Prompt extends Omit<Definition<Shape>, 'plan' | 'input' | 'completes'> {
  input: z.ZodObject
  completes: Readonly<Record<string, Completion | undefined>>
  /** @throws ParameterError, HoldshortError AIRPORT_NOT_FOUND */
  plan: (given: unknown, context: PromptContext) => PromptPlan
}

/** Declares a prompt; its `plan` checks the arguments first. */
export function definePrompt<const S extends Shape>(definition: Definition<S>): Prompt {
  const { input, plan } = definition
  return {
    ...definition,
    plan(given, context) {
      const parsed = input.safeParse(given)
      if (!parsed.success) throw new ParameterError(parameterFaults(parsed.error, input))
      return plan(parsed.data, context)
    },
  }
}

const HONESTY =
  'Say of each figure whether it is measured, reported, predicted or typical, and how old it is. What is null or unknown is not known: say so, and fill nothing in. Where an answer has `simulated: true`, say first that its figures are invented.'

/** The text of a plan, each step with the tool and its arguments as they are to be sent. */
export function promptText({ task, steps, answer }: PromptPlan): string {
  const lines = steps.map(
    ({ tool, arguments: given, purpose }, place) =>
      `${place + 1}. Call \`${tool}\` with \`${JSON.stringify(given)}\` to ${purpose}.`,
  )
  return [task, '', ...lines, '', answer, HONESTY].join('\n')
}

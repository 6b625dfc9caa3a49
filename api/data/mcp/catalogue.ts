import { z } from 'zod'
import type { Prompt } from '../prompts/define.ts'
import type { Resource } from '../resources/define.ts'
import { toolInput, toolOutput } from '../tools/answer-size.ts'
import type { Tool } from '../tools/define.ts'
import { listedInput, listedOutput } from './listed-schema.ts'

interface CatalogueLists {
  tools: readonly Tool[]
  resources: readonly Resource[]
  prompts: readonly Prompt[]
}

type ListedTool = ReturnType<typeof listTool>

/** The tools, resources and prompts of the MCP server, found by name and listed as the protocol lists them. */
export class McpCatalogue {
  readonly listedResources: Omit<Resource, 'read'>[]
  readonly listedPrompts: ReturnType<typeof listPrompt>[]
  readonly promptNames: string[]
  readonly resourceUris: string[]
  readonly #tools: ReadonlyMap<string, Tool>
  readonly #resources: ReadonlyMap<string, Resource>
  readonly #prompts: ReadonlyMap<string, Prompt>
  #listedTools: ListedTool[] | null = null

  constructor({ tools, resources, prompts }: CatalogueLists) {
    this.#tools = new Map(tools.map((tool) => [tool.name, tool]))
    this.#resources = new Map(resources.map((resource) => [resource.uri, resource]))
    this.#prompts = new Map(prompts.map((prompt) => [prompt.name, prompt]))
    this.listedResources = resources.map(({ read: _read, ...listed }) => listed)
    this.listedPrompts = prompts.map(listPrompt)
    this.promptNames = [...this.#prompts.keys()]
    this.resourceUris = [...this.#resources.keys()]
  }

  tool(name: string): Tool | undefined {
    return this.#tools.get(name)
  }

  resource(uri: string): Resource | undefined {
    return this.#resources.get(uri)
  }

  prompt(name: string): Prompt | undefined {
    return this.#prompts.get(name)
  }

  /** All tools as `tools/list` shows them. Converting the schemas is slow, so the list is built once. */
  get listedTools(): ListedTool[] {
    this.#listedTools ??= [...this.#tools.values()].map(listTool)
    return this.#listedTools
  }
}

function listTool(tool: Tool) {
  const { name, title, description, annotations, example } = tool
  return {
    name,
    title,
    description,
    annotations,
    inputSchema: { ...listedInput(z.toJSONSchema(toolInput(tool), { io: 'input' })), examples: [example] },
    outputSchema: listedOutput(z.toJSONSchema(toolOutput(tool), { io: 'output' }), tool.omit),
  }
}

function listPrompt({ name, title, description, input }: Prompt) {
  const { required = [], properties = {} } = z.toJSONSchema(input, { io: 'input' })
  return {
    name,
    title,
    description,
    arguments: Object.entries(properties).map(([argument, schema]) => ({
      name: argument,
      required: required.includes(argument),
      ...(typeof schema === 'object' && schema.description !== undefined && { description: schema.description }),
    })),
  }
}

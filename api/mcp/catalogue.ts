import type { Implementation } from '@modelcontextprotocol/server'
import { z } from 'zod'
import type { Prompt } from '../prompts/define-prompt.ts'
import type { Resource } from '../resources/resources.ts'
import { toolInput, toolOutput } from '../tools/answer-size.ts'
import type { Tool } from '../tools/define.ts'
import { VIEW_META, VIEW_TYPE } from '../views/apps-extension.ts'
import type { View, Views } from '../views/define-view.ts'
import { viewDocument } from '../views/document.ts'
import { listedInput, listedOutput } from './listed-schema.ts'

/** The server's name and version: in the answer to `initialize` and, since protocol 2026-07-28, in every result. */
export const SERVER_INFO: Implementation = { name: 'holdshort', title: 'Holdshort', version: '1.0.0' }

interface CatalogueLists {
  tools: readonly Tool[]
  resources: readonly Resource[]
  prompts: readonly Prompt[]
  views: Views
}

type ListedTool = ReturnType<typeof listTool>
type PicturedTool = ListedTool & { _meta?: { ui: { resourceUri: string } } }

/** The tools, resources and prompts of the MCP server, found by name and listed as the protocol lists them. */
export class McpCatalogue {
  readonly listedResources: Omit<Resource, 'read'>[]
  readonly listedPrompts: ReturnType<typeof listPrompt>[]
  readonly promptNames: string[]
  readonly resourceUris: string[]
  readonly views: Views
  readonly #tools: ReadonlyMap<string, Tool>
  readonly #resources: ReadonlyMap<string, Resource>
  readonly #prompts: ReadonlyMap<string, Prompt>
  readonly #views: ReadonlyMap<string, View>
  #listedTools: ListedTool[] | null = null

  constructor({ tools, resources, prompts, views }: CatalogueLists) {
    this.views = views
    this.#tools = new Map(tools.map((tool) => [tool.name, tool]))
    this.#resources = new Map(resources.map((resource) => [resource.uri, resource]))
    this.#prompts = new Map(prompts.map((prompt) => [prompt.name, prompt]))
    this.#views = new Map(tools.flatMap(({ view }) => (view ? [[view.uri, view]] : [])))
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

  /** The document at a `ui://` address. */
  viewDocument(uri: string): string | undefined {
    const view = this.#views.get(uri)
    return view && viewDocument(view, this.views.style)
  }

  /** The views as resources, which only hosts with the MCP Apps extension list. */
  get listedViews() {
    return [...this.#views.values()].map(({ uri, name, title, description }) => ({
      uri,
      name: `${name}_view`,
      title,
      description,
      mimeType: VIEW_TYPE,
      _meta: VIEW_META,
    }))
  }

  /** The tools as a host with the MCP Apps extension lists them: those with a picture name it. */
  get picturedTools(): PicturedTool[] {
    return this.listedTools.map((listed) => {
      const { view } = this.#tools.get(listed.name)!
      return view ? { ...listed, _meta: { ui: { resourceUri: view.uri } } } : listed
    })
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
    outputSchema: listedOutput(z.toJSONSchema(toolOutput(tool), { io: 'output' })),
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

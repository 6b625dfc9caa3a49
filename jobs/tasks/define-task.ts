import type { z } from 'zod'

/** Bytes that never change, each by a reference that holds their SHA-256. */
export interface Contents {
  /** Stores bytes and returns their reference; the same bytes always have the same one. */
  put: (bytes: Uint8Array) => Promise<string>
  /** @throws Error when there are no such bytes, or other ones than were put */
  get: (reference: string) => Promise<Uint8Array>
}

/**
 * Work that any machine with the same build may do, once or again: its result depends on nothing but its request and the
 * contents that the request names. A task is declared once; `local-tasks.ts` and `redis-tasks.ts` run any declared task.
 */
export interface Task<Request> {
  name: string
  request: z.ZodType<Request>
}

/** Declares a task; the type of the request follows from its schema. */
export function defineTask<Request>(task: Task<Request>): Task<Request> {
  return task
}

/** A task with the function that does it. */
export interface TaskImplementation {
  name: string
  /** Checks the request and computes the result. */
  run: (request: unknown, contents: Contents) => Promise<Uint8Array>
}

/** Binds a declared task to the function that does it. */
export function implementTask<Request>(
  task: Task<Request>,
  run: (request: Request, contents: Contents) => Promise<Uint8Array>,
): TaskImplementation {
  return { name: task.name, run: async (request, contents) => run(task.request.parse(request), contents) }
}

/** The results of several requests of one task. */
export interface TaskResults {
  /** The result of a request, by its position. */
  result: (position: number) => Promise<Uint8Array>
  /** Ends what is under way. */
  close: () => Promise<void>
}

/** Runs tasks, in this process or on the machines of an installation. */
export interface TaskRunner {
  /** Storage of the contents that requests name. */
  contents: Contents
  start: <Request>(task: Task<Request>, requests: readonly NoInfer<Request>[]) => Promise<TaskResults>
  close: () => Promise<void>
}

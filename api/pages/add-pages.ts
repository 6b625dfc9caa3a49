import type { FastifyInstance } from 'fastify'
import type { Gate } from '../access/admission.ts'
import type { AppDependencies } from '../dependencies.ts'

/** Adds pages of one matter to the scope of all pages. The gate holds usage that is not yet written. */
export type AddPages = (pages: FastifyInstance, dependencies: AppDependencies, gate: Gate) => void | Promise<void>

import type { FastifyInstance } from 'fastify'
import type { AppDependencies } from '../../data/dependencies.ts'
import type { Gate } from '../../data/gate/admission.ts'

/** Adds pages of one matter to the scope of all pages. The gate holds usage that is not yet written. */
export type AddPages = (pages: FastifyInstance, dependencies: AppDependencies, gate: Gate) => void | Promise<void>

import type { OpenApiDocument } from '../../api/rest/openapi-types.ts'
import { openStateAt } from '../../api/state/open.ts'
import { indexAirports } from '../../config/airports/directory.ts'
import { readSettings } from '../../config/settings.ts'
import { buildApp } from './app.ts'

/** The OpenAPI 3.1 document under default settings, which is committed as openapi.json and served at /openapi.json. */
export async function openApiDocument(): Promise<OpenApiDocument> {
  const state = await openStateAt(':memory:', 'for the description only')
  const app = await buildApp({
    settings: readSettings({}),
    state,
    directory: indexAirports([]),
    holder: { current: () => null },
  })
  const document = app.swagger() as unknown as OpenApiDocument
  await app.close()
  await state.close()
  return document
}

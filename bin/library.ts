/**
 * The package as a library: `import { openWarehouse } from 'holdshort'`. What stands here is the public surface; other paths of
 * the package may change with any release.
 */
export { airportDirectory } from '../config/airports/directory.ts'
export { allSources } from '../config/sources.ts'
export { loadSnapshot } from '../warehouse/publishing/snapshot/load.ts'
export { openAnalystSession } from '../warehouse/storage/analyst-session.ts'
export { openWarehouse } from '../warehouse/storage/warehouse.ts'
export { allTables } from '../warehouse/tables/index.ts'
export { VERSION as version } from './runtime/version.ts'

/** Loads a model folder, with TensorFlow.js: its card and its net. */
export const loadModel = async (folder: string) =>
  (await import('../training/artifacts/artifact.ts')).loadArtifact(folder)

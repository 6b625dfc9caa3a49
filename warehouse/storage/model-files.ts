/**
 * Names of the models folder: `<kind>/<subject>/<version>/` with the files of a model, `runs/<kind>/<training>.json`, and the registry.
 * Training writes by them, and a data folder knows its own files by them.
 */

/** The files of the net. The card holds their digests. */
export const NET_FILES = ['model.json', 'weights.bin'] as const
export const CARD_FILE = 'card.json'
/** The facts that others need to run the net: the inputs with their formulas, and example inputs with the served forecast. Earlier releases wrote none. */
export const SPECIFICATION_FILE = 'features.json'
export const EXAMPLES_FILE = 'examples.json'
/** The rows that the tables get when the model serves. */
export const RECORD_FILE = 'record.json'
/** All files of a model. */
export const ARTIFACT_FILES: readonly string[] = [
  ...NET_FILES,
  CARD_FILE,
  SPECIFICATION_FILE,
  EXAMPLES_FILE,
  RECORD_FILE,
]

/** The folder of an airport, or of its border queues in one direction. */
export const SUBJECT_FOLDER = /^([A-Z]{3})(?:-(entry|exit|unknown))?$/
/** The folder of a version; earlier releases: without digest. */
export const VERSION_FOLDER = /^[A-Z]{3}(-(entry|exit|unknown))?@\d{4}-\d\d-\d\dT\d\dZ(-[0-9a-f]{8})?$/
/** A version that is being written, and one that is being replaced, beside its place. */
export const versionDraft = (version: string) => `.${version}.${process.pid}`
export const replacedVersion = (version: string) => `.${version}-replaced.${process.pid}`
export const VERSION_DRAFT = new RegExp(`^\\.${VERSION_FOLDER.source.slice(1, -1)}(-replaced)?\\.(?<pid>\\d+)$`)

export const REGISTRY_FILE = 'registry.json'
export const TRAININGS_FOLDER = 'runs'
export const TRAINING_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,79}$/
export const trainingFile = (name: string) => `${name}.json`
export const TRAINING_FILE = new RegExp(`${TRAINING_NAME.source.slice(0, -1)}\\.json$`)

import { createRequire } from 'node:module'

/**
 * The engine's binding, required and not imported: to find the names that an import could ask for, Node.js reads all 120 files of this
 * CommonJS package once more, which is half of the start of `holdshort query`.
 */
const api = createRequire(import.meta.url)('@duckdb/node-api') as typeof import('@duckdb/node-api')

export const {
  BIGINT,
  BOOLEAN,
  DOUBLE,
  DuckDBArrayType,
  DuckDBDataChunk,
  DuckDBInstance,
  DuckDBListType,
  DuckDBStructType,
  DuckDBTypeId,
  FLOAT,
  INTEGER,
  VARCHAR,
} = api

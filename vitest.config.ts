import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

/** Tests of pure functions: they may share their modules, which takes most of the time of a small file. */
const PURE = [
  'test/pipeline/collectors/**/*.test.ts',
  'test/pipeline/simulator/**/*.test.ts',
  'test/config/**/*.test.ts',
]

/** Tests that touch the state: they run once on SQLite, in `rooms`, and once on PostgreSQL. */
const STATE = [
  'test/api/{access,account,alerts,audit,dashboard,money,oauth,reports,state}/**/*.test.ts',
  'test/api/{agent-routes,rest}.test.ts',
]
const ON_SQLITE = '**/*sqlite.test.ts'
/** What a page, a parser or a Redis does is the same on either database. */
const SAME_ON_BOTH = [
  '**/*browser.test.ts',
  'test/api/access/{redis-gate,redis-away,gate-model,source-network}.test.ts',
  'test/api/oauth/{hostile,real-clients}.test.ts',
]
const ON_POSTGRESQL = '**/*postgresql.test.ts'

/** Tests that put something in the place of a module or of the clock: like those of whole processes, each has its modules to itself. */
const ALONE = [
  'test/api/account/{account,sign-in}.test.ts',
  'test/api/access/usage.test.ts',
  'test/api/openapi.test.ts',
  'test/api/reports/hand-over.test.ts',
]
const API = 'test/api/**/*.test.ts'
/** Not below: the suites have packages of their own there. */
const CONFORMANCE = 'test/conformance/*.test.ts'

const common = {
  testTimeout: 30_000,
  hookTimeout: 60_000,
  pool: 'forks' as const,
}

export default defineConfig({
  test: {
    // Many tests wait: for a killed process, a lock, a browser. One worker more than cores fills those moments.
    maxWorkers: availableParallelism(),
    reporters: ['default'],
    projects: [
      { test: { ...common, name: 'pure', include: PURE, isolate: false } },
      {
        test: {
          ...common,
          name: 'api',
          include: [API, CONFORMANCE],
          exclude: [...ALONE, ON_POSTGRESQL],
          isolate: false,
        },
      },
      {
        test: {
          ...{
            ...common,
            name: 'rooms',
            include: ['test/!(api|conformance|end-to-end)/**/*.test.ts', 'test/*.test.ts'],
          },
          ...{ exclude: PURE, isolate: false },
        },
      },
      { test: { ...common, name: 'alone', include: ['test/end-to-end/**/*.test.ts', ...ALONE] } },
      {
        test: {
          ...{
            ...common,
            name: 'postgresql',
            isolate: false,
            include: [...STATE, ON_POSTGRESQL],
            exclude: [ON_SQLITE, ...SAME_ON_BOTH],
          },
          ...{ setupFiles: ['test/api/state/on-postgresql.ts'], globalSetup: ['test/api/state/postgresql-server.ts'] },
        },
      },
    ],
  },
})

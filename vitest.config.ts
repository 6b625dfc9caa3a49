import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

/** Tests that touch the state: they run once on SQLite, in `shared` (or `alone`), and once on PostgreSQL. */
const STATE = ['test/api/{accounts,state,data/gate,data/reports}/**/*.test.ts', 'test/api/rest.test.ts']
const ON_SQLITE = '**/*sqlite.test.ts'
/** What a page, a parser or a Redis does is the same on either database. */
const SAME_ON_BOTH = [
  '**/*browser.test.ts',
  'test/api/data/gate/{distributed-gate,redis-outage,gate-model,source-network}.test.ts',
  'test/api/accounts/oauth/{hostile,real-clients}.test.ts',
]
const ON_POSTGRESQL = '**/*postgresql.test.ts'

/** Tests that put something in the place of a module or of the clock: like those of whole processes, each has its modules to itself. */
const ALONE = [
  'test/api/accounts/people/{account,sign-in}.test.ts',
  'test/api/data/gate/usage.test.ts',
  'test/api/openapi.test.ts',
  'test/api/data/reports/hand-over.test.ts',
]
/** Tests of a long time in a short file: they begin first, as one that begins last is waited for by an idle core. */
const LONG = ['test/pipeline/soak.test.ts', 'test/pipeline/collectors/mutation.test.ts']
/** The conformance suites have packages of their own. */
const PACKAGES = '**/node_modules/**'

const common = {
  testTimeout: 30_000,
  hookTimeout: 60_000,
  pool: 'forks' as const,
}

export default defineConfig({
  test: {
    // The default leaves a core idle, which on a machine with two is half of it.
    maxWorkers: availableParallelism(),
    reporters: ['default'],
    projects: [
      {
        test: {
          ...common,
          name: 'shared',
          isolate: false,
          include: ['test/**/*.test.ts'],
          exclude: ['test/end-to-end/**', ...ALONE, ...LONG, ON_POSTGRESQL, PACKAGES],
        },
      },
      { test: { ...common, name: 'alone', include: ['test/end-to-end/**/*.test.ts', ...ALONE, ...LONG] } },
      {
        test: {
          ...common,
          name: 'postgresql',
          isolate: false,
          include: [...STATE, ON_POSTGRESQL],
          exclude: [ON_SQLITE, ...SAME_ON_BOTH],
          setupFiles: ['test/api/state/on-postgresql.ts'],
          globalSetup: ['test/api/state/postgresql-server.ts'],
        },
      },
    ],
  },
})

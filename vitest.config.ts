import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { EXHAUSTIVE } from './test/exhaustive.ts'

/** Tests that use the state. All of them run on SQLite; the exhaustive run repeats them on PostgreSQL. */
const STATE_TESTS = [
  'test/accounts/**/*.test.ts',
  'test/api/{state,gate,reports}/**/*.test.ts',
  'test/api/rest.test.ts',
]
const SQLITE_TESTS = '**/*sqlite.test.ts'
const POSTGRESQL_TESTS = '**/*postgresql.test.ts'
/** These behave the same on either database: pages, parsers, Redis. */
const SAME_ON_BOTH = [
  '**/*browser.test.ts',
  'test/api/gate/{distributed-gate,redis-outage,gate-model,source-network}.test.ts',
  'test/accounts/oauth/{hostile,real-clients}.test.ts',
]

/** These replace a module, so each runs with modules of its own. */
const ISOLATED_TESTS = [
  'test/api/state/surroundings.sqlite.test.ts',
  'test/bin/runtime/member-session.test.ts',
  'test/bin/runtime/no-process-left.test.ts',
  'test/end-to-end/agents-day.test.ts',
]
/** Slow by nature, because they start processes, browsers and databases or wait: only the exhaustive run includes them. */
const EXHAUSTIVE_TESTS = [
  'test/image.test.ts',
  'test/pipeline/{soak,bad-days,full-disk,hostile-sources}.test.ts',
  'test/pipeline/simulator/pages.test.ts',
  'test/pipeline/transport/{browser-executables,browser-client,shared-browser}.test.ts',
  'test/end-to-end/{live,agents-day,upgrade,query-stream,query-attacks,as-root,surroundings,supervisor-gone,silent-process,small-machine,hang-up,unseen-key}.test.ts',
  'test/faults/*.test.ts',
  'test/conformance/*.test.ts',
  'test/{client,readers}/*.test.ts',
  'test/api/{openapi-lint,durability,server}.test.ts',
  'test/jobs/calls/{live,archive}.test.ts',
  'test/api/state/{unwritable,surroundings,locked}.sqlite.test.ts',
  'test/accounts/clock-ahead.test.ts',
  'test/bin/runtime/{member-session,no-process-left,signs-of-life}.test.ts',
  'test/accounts/{people,oauth}/browser.test.ts',
  'test/accounts/oauth/rotation.sqlite.test.ts',
  'test/api/gate/{redis-outage,distributed-gate}.test.ts',
  'test/shared-store/{faults,drawn,lost-answers,restore,analyst}.test.ts',
  'test/warehouse/storage/{import-histories,twin,open-files}.test.ts',
]
/** Tests that harm processes, disks and servers for minutes. In the exhaustive run they come last, so that they keep no other test waiting. */
const HARMING_TESTS = [
  'test/{faults,chaos,shared-store}/**/*.test.ts',
  'test/warehouse/storage/twin.test.ts',
  'test/end-to-end/{query-attacks,small-machine}.test.ts',
]
/** The conformance suites, the readers of open data and the generated client have their own packages. */
const PACKAGES = '**/node_modules/**'

/** Node 22 and later know no such flag. */
const FEW_OPTIMISATIONS = process.version.startsWith('v20.') ? ['--interrupt-budget=1000000'] : []

const common = {
  // Drawn cases by the thousand take up to 27 seconds on a quiet machine of CI's kind.
  testTimeout: EXHAUSTIVE ? 120_000 : 30_000,
  hookTimeout: EXHAUSTIVE ? 120_000 : 60_000,
  pool: 'forks' as const,
  // A test runs most code a few times. By default V8 spends a fifth of the suite on optimising functions that are hardly
  // called again, and on collecting young objects in a small space.
  execArgv: [...FEW_OPTIMISATIONS, '--max-semi-space-size=64'],
  // The exhaustive run starts hundreds of processes, browsers and databases on two cores. It repeats a failed test once
  // and prints that it did; a test that fails twice fails the run.
  retry: EXHAUSTIVE ? 1 : 0,
  globalSetup: EXHAUSTIVE ? ['test/chromium-server.ts'] : [],
}

const ON_POSTGRESQL = {
  test: {
    ...common,
    name: 'postgresql',
    isolate: false,
    include: [...STATE_TESTS, POSTGRESQL_TESTS],
    exclude: [SQLITE_TESTS, ...SAME_ON_BOTH],
    setupFiles: ['test/api/state/on-postgresql.ts', 'test/api/state/no-scans.ts'],
    globalSetup: ['test/api/state/postgresql-server.ts'],
  },
}

const HARMING = {
  test: { ...common, name: 'harming', isolate: false, include: HARMING_TESTS, sequence: { groupOrder: 1 } },
}

export default defineConfig({
  test: {
    // Tests also wait, for processes and browsers: one worker more than cores keeps the cores busy.
    maxWorkers: availableParallelism() + 1,
    experimental: { fsModuleCache: true },
    reporters: ['default'],
    projects: [
      {
        test: {
          ...common,
          name: 'shared',
          isolate: false,
          setupFiles: ['test/api/state/no-scans.ts', ...(EXHAUSTIVE ? [] : ['test/duckdb-threads.ts'])],
          include: ['test/**/*.test.ts'],
          exclude: [...ISOLATED_TESTS, ...(EXHAUSTIVE ? HARMING_TESTS : EXHAUSTIVE_TESTS), POSTGRESQL_TESTS, PACKAGES],
        },
      },
      { test: { ...common, name: 'alone', include: ISOLATED_TESTS, exclude: EXHAUSTIVE ? [] : EXHAUSTIVE_TESTS } },
      ...(EXHAUSTIVE ? [ON_POSTGRESQL, HARMING] : []),
    ],
  },
})

import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

/** Tests of pure functions: they may share their modules, which takes most of the time of a small file. */
const PURE = [
  'test/pipeline/collectors/**/*.test.ts',
  'test/pipeline/simulator/**/*.test.ts',
  'test/config/**/*.test.ts',
]

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
      { test: { ...common, name: 'pure', include: PURE, isolate: false } },
      { test: { ...common, name: 'rooms', include: ['test/**/*.test.ts'], exclude: PURE } },
    ],
  },
})

import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    pool: 'forks',
    // The default leaves a core idle, which on a machine with two is half of it.
    maxWorkers: availableParallelism(),
    reporters: ['default'],
  },
})

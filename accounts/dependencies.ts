import type { AppDependencies } from '../api/dependencies.ts'
import type { GuardedFetch } from './egress/guarded-fetch.ts'

/** The dependencies of the accounts area: those of all areas, and its own. */
export interface AccountDependencies extends AppDependencies {
  /** Requests addresses that callers have supplied; the guarded fetch unless a test sets another. */
  egress?: GuardedFetch
}

import type { AppDependencies } from '../data/dependencies.ts'
import type { GuardedFetch } from './egress/guarded-fetch.ts'

/** What the accounts area needs besides what all areas need. */
export interface AccountDependencies extends AppDependencies {
  /** Requests addresses that callers have supplied; the guarded fetch unless a test sets another. */
  egress?: GuardedFetch
}

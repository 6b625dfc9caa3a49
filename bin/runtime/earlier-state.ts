/** What an operator must know who goes on with an earlier state of accounts and keys. */
export const IN_FORCE_AGAIN =
  'What was taken back since then is in force again: keys that were revoked, accounts that were deleted, passwords that were replaced, clients that were disconnected. Take it back once more.'

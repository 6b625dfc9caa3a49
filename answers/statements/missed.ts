/** Why a flight cannot be caught any more. */
export const TOO_LATE = 'the flight can no longer be caught: leaving now gives less than 1 %'
/** However early one is there. */
export const OPENS_TOO_LATE = 'security is not expected to open in time for the flight'

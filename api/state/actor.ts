/** The actor of a change to an account, and the network address it came from, if there is one. */
export interface Actor {
  actor: 'owner' | 'stranger' | 'operator' | 'client' | 'stripe' | 'service'
  source: string | null
}

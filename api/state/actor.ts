/** Who does something, and from which address where there is one. */
export interface Actor {
  actor: 'owner' | 'stranger' | 'operator' | 'client' | 'stripe' | 'service'
  source: string | null
}

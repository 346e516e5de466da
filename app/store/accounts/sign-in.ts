export type Role = 'customer' | 'admin'

export interface User {
  id: string
  email: string
  name: string
  role: Role
}

export interface SignedInUser extends User {
  /** When the session began, in milliseconds since 1970. */
  signedInAt: number
}

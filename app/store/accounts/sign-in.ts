/** Of colleagues who are no admins (R53). */
export const staffRoles = ['packer', 'bookkeeper'] as const
export type StaffRole = (typeof staffRoles)[number]

export type Role = 'customer' | StaffRole | 'admin'

export interface User {
  id: string
  email: string
  name: string
  role: Role
}

export interface SignedInUser extends User {
  /** When the session began, in milliseconds since 1970. */
  signedInAt: number
  /** Of an admin. */
  waiting?: Waiting
}

/** What waits for an answer of the shop; each stops at `maxCount`. */
export interface Waiting {
  messages: number
  quotes: number
  /** Low stock apart. */
  problems: number
}

export type Role = 'customer' | 'admin'

/** Who is signed in, as far as pages need to know. */
export interface User {
  id: string
  email: string
  name: string
  role: Role
}

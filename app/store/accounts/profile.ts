/** What a user has said of themselves: null is what they have not. Shown to nobody else. */
export interface Profile {
  name: string
  email: string
  image: string | null
  address: string | null
  phone: string | null
}

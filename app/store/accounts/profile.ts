export interface Profile {
  name: string
  email: string
  image: string | null
  address: string | null
  phone: string | null
}

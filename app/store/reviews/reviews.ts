export interface Review {
  id: string
  name: string
  img: string
  description: string
}

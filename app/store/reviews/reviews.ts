/** A review as the home page shows it. */
export interface Review {
  id: string
  name: string
  img: string
  description: string
}

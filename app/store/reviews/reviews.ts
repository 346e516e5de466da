export interface Review {
  id: string
  name: string
  /** The same for all reviews (spec section 3), for the API. */
  img: string
  /** The reviewer's own, from the profile. */
  picture: string | null
  description: string
  /** The shop's public answer. */
  reply: string | null
}

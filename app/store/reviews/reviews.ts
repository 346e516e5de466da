export interface Review {
  id: string
  name: string
  /** The reviewer's own picture, from the profile, or else the avatar that the review was created with (spec section 3). */
  img: string
  description: string
  /** The shop's public answer. */
  reply: string | null
}

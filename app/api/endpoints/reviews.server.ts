import { z } from 'zod'
import { endpoint, type ApiPath } from '../endpoint.server'
import { addReview, listReviews, NewReview } from '../../store/reviews/reviews.server'
import { Inserted, inserted, Page, reviewJson, ReviewShape } from './schemas.server'

const id = 'e1c3a5b7-2d4f-4a6c-8e0b-1f3d5a7c9b2e'
const description = 'A warm sound, and it was here in three days.'

export const reviews: ApiPath = {
  path: '/reviews',
  tag: 'Reviews',
  endpoints: {
    GET: endpoint({
      summary: 'Customer reviews, newest first',
      auth: 'anyone',
      scope: 'catalogue:read',
      paged: true,
      query: Page,
      output: z.array(ReviewShape),
      example: {
        response: [
          { _id: id, name: 'Ada Lovelace', img: '/art/avatar.svg', description, instrumentId: 'oboe', rating: 5 },
        ],
      },
      errors: [429],
      async run({ context, query: { after: before, limit } }) {
        const { reviews, next } = await listReviews(context, { before, limit })
        return { items: reviews.map(reviewJson), next }
      },
    }),
    POST: endpoint({
      summary: 'Adds a review under the caller’s own name',
      auth: 'signed-in',
      idempotent: true,
      body: NewReview.extend({
        submissionId: NewReview.shape.submissionId.meta({ description: 'Ignored: send an Idempotency-Key' }),
        instrumentId: NewReview.shape.instrumentId.meta({ description: 'An instrument that the caller has bought' }),
        rating: NewReview.shape.rating.meta({ description: 'Stars' }),
        name: z.string().max(1000).optional().meta({ description: 'Ignored: taken from the profile' }),
        img: z.string().max(5000).optional().meta({ description: 'Ignored: set by the shop' }),
      }).strict(),
      output: Inserted,
      example: { body: { description }, response: inserted({ id }) },
      errors: [409, 429],
      async run({ context, caller, body: { description, instrumentId, rating }, idempotencyKey }) {
        const review = { description, instrumentId, rating, submissionId: idempotencyKey }
        return inserted(await addReview(context, caller, review))
      },
    }),
  },
}

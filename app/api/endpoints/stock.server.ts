import { z } from 'zod'
import { changeStock, setStock } from '../../store/catalog/manage-instruments.server'
import { newId } from '../../store/shared/ids.server'
import { Refusal } from '../../store/shared/refusal'
import { singleLine } from '../../store/shared/validation.server'
import { endpoint, type ApiPath } from '../endpoint.server'
import { seenWith } from './instruments.server'
import { Modified, modified } from './schemas.server'

const max = 1_000_000
export const reason = singleLine({ label: 'Reason', required: 'Give a reason for the change', max: 200 }).meta({
  description: 'In the history of the product',
})
export const pieces = z.int().min(0).max(max)
export const piecesMoved = z
  .int()
  .min(-max)
  .max(max)
  .refine((change) => change !== 0, { error: 'A change is not 0' })
  .meta({ description: 'Pieces; below 0 to take them out' })

export const stock: ApiPath = {
  path: '/instruments/{id}/stock',
  tag: 'Instruments',
  endpoints: {
    POST: endpoint({
      summary: 'Adds pieces to the stock, or takes them out; changes made at the same time add up',
      auth: 'admin',
      scope: 'catalogue:write',
      idempotent: true,
      ifMatch: true,
      body: z.strictObject({
        change: piecesMoved,
        reason,
      }),
      output: Modified,
      example: { param: 'violin-4-4', body: { change: 6, reason: 'Delivery 4711' }, response: modified(1) },
      errors: [404],
      async run({
        context,
        caller,
        params,
        body: { change, reason },
        idempotencyKey: submissionId = newId(),
        ifMatch,
      }) {
        const seen = await seenWith(context, params.id!, ifMatch)
        const direction = change > 0 ? 'in' : 'out'
        const input = { pieces: Math.abs(change), direction, reason, submissionId, seen } as const
        await changeStock(context, caller, params.id!, input).catch(namePieces('change'))
        return modified(1)
      },
    }),
    PUT: endpoint({
      summary: 'Sets the stock to what was counted, unless it is no longer what is expected',
      auth: 'admin',
      scope: 'catalogue:write',
      idempotent: true,
      ifMatch: true,
      body: z.strictObject({
        quantity: pieces.meta({ description: 'Pieces that can be ordered, without those that orders hold' }),
        expected: pieces.meta({ description: 'availableQuantity as it was read; if it is another, 409 names it' }),
        reason,
      }),
      output: Modified,
      example: {
        param: 'violin-4-4',
        body: { quantity: 34, expected: 36, reason: 'Counted' },
        response: modified(1),
      },
      errors: [404, 409],
      async run({ context, caller, params, body, idempotencyKey: submissionId = newId(), ifMatch }) {
        const seen = await seenWith(context, params.id!, ifMatch)
        const isChanged = await setStock(context, caller, params.id!, { ...body, submissionId, seen }).catch(
          namePieces('quantity'),
        )
        return modified(isChanged ? 1 : 0)
      },
    }),
  },
}

/** The forms of the desk have another name for the field. */
function namePieces(field: string) {
  return (error: unknown): never => {
    if (!(error instanceof Refusal) || !error.fields.pieces) throw error
    throw new Refusal(error.code, error.message, { fields: { [field]: error.fields.pieces }, cause: error })
  }
}

import { z } from 'zod'
import { changeMany, type BulkChange, type BulkErrors } from '../../store/catalog/bulk-changes.server'
import { NewInstrument } from '../../store/catalog/manage-instruments.server'
import { newId } from '../../store/shared/ids.server'
import { endpoint, type ApiPath } from '../endpoint.server'
import { inDollars } from './schemas.server'
import { pieces, piecesMoved, reason } from './stock.server'

const maxRows = 500
/** Of so many rows, a request counts as one call of its key. */
const rowsOfCall = 50

const Change = z
  .strictObject({
    _id: z.string().min(1).max(100),
    price: NewInstrument.shape.price.optional().meta({ description: inDollars, minimum: 0.01, maximum: 999_999.99 }),
    hidden: z.boolean().optional().meta({ description: 'Whether only admins see it' }),
    change: piecesMoved.optional(),
    quantity: pieces.optional().meta({ description: 'Instead of change: what was counted, with expected' }),
    expected: pieces
      .optional()
      .meta({ description: 'What the stock is for whoever counted; if it is another, the row is refused' }),
    reason: reason.optional().meta({ description: 'Needed for change and quantity' }),
  })
  .superRefine(({ price, hidden, change, quantity, expected, reason }, { addIssue }) => {
    const refuse = (field: string, message: string) => addIssue({ code: 'custom', path: [field], message })
    const isStock = change !== undefined || quantity !== undefined
    if (!isStock && price === undefined && hidden === undefined) refuse('_id', 'Say what changes')
    if (isStock && reason === undefined) refuse('reason', 'Give a reason for the change')
    if (change !== undefined && quantity !== undefined) refuse('quantity', 'Give either change or quantity')
    if ((quantity === undefined) !== (expected === undefined)) refuse('expected', 'Give quantity and expected together')
  })

const Row = z.strictObject({
  row: z.int().min(1).max(maxRows).meta({ description: 'Its number in the request, from 1' }),
  _id: z.string(),
  done: z.boolean().meta({ description: 'All of it is as wanted' }),
  fields: z.record(z.string(), z.array(z.string())).optional().meta({ description: 'What was not done, and why' }),
})

export const instrumentChanges: ApiPath = {
  path: '/instrument-changes',
  tag: 'Instruments',
  endpoints: {
    POST: endpoint({
      summary: 'Changes price, stock and visibility of up to 500 instruments; what cannot be done is named row by row',
      auth: 'admin',
      scope: 'catalogue:write',
      idempotent: true,
      maxBytes: 256 * 1024,
      callsOf: (body) => Math.ceil(body.changes.length / rowsOfCall),
      body: z.strictObject({
        changes: z
          .array(Change, { error: 'Send a list of changes' })
          .min(1, { error: 'Send at least one change' })
          .max(maxRows, { error: `Send at most ${maxRows} changes at once` }),
      }),
      output: z.strictObject({ acknowledged: z.literal(true), rows: z.array(Row) }).meta({ id: 'Changed' }),
      example: {
        body: {
          changes: [
            { _id: 'violin-4-4', price: 1450, hidden: false },
            { _id: 'bb-clarinet', change: -3, reason: 'Broken' },
          ],
        },
        response: {
          acknowledged: true,
          rows: [
            { row: 1, _id: 'violin-4-4', done: true },
            { row: 2, _id: 'bb-clarinet', done: false, fields: { change: ['You can remove at most 2.'] } },
          ],
        },
      },
      async run({ context, caller, body: { changes }, idempotencyKey = newId() }) {
        const errors = await changeMany(context, caller, changes.map(toChange), idempotencyKey)
        const rows = changes.map((change, index) => rowOf(change, index + 1, errors[index]!))
        return { acknowledged: true as const, rows }
      },
    }),
  },
}

function toChange({ _id, price, hidden, change, quantity, expected = 0, reason }: z.output<typeof Change>): BulkChange {
  const counted = quantity !== undefined && { stockChange: quantity - expected, expected }
  return { instrumentId: _id, priceCents: price, isHidden: hidden, reason, stockChange: change, ...counted }
}

function rowOf({ _id, quantity }: z.output<typeof Change>, row: number, { instrument, price, stock }: BulkErrors) {
  const named = { _id: instrument, price, [quantity === undefined ? 'change' : 'quantity']: stock }
  const fields: Record<string, string[]> = {}
  for (const [name, message] of Object.entries(named)) if (message) fields[name] = [message]
  const done = Object.keys(fields).length === 0
  return { row, _id, done, ...(!done && { fields }) }
}

import { z } from 'zod'
import type { Deps } from '../../store/deps'
import { endpoint, type ApiPath } from '../endpoint.server'
import { tagOfJson } from '../if-match.server'
import { rules } from '../../store/catalog/field-rules.server'
import { filterKeys, pick } from '../../store/catalog/fields'
import { findInstrument, findSeen } from '../../store/catalog/instruments.server'
import { searchList } from '../../store/catalog/search/search-instruments.server'
import { Refusal, type Seen } from '../../store/shared/refusal'
import { addInstrument, NewInstrument, removeInstrument } from '../../store/catalog/manage-instruments.server'
import { checkPictures } from '../../store/catalog/pictures/picture-fields.server'
import { checkSale } from '../../store/catalog/sale-prices.server'
import { checkPriceBreaks } from '../../store/catalog/price-breaks.server'
import {
  Deleted,
  deleted,
  inDollars,
  Inserted,
  inserted,
  instrumentJson,
  InstrumentShape,
  Page,
} from './schemas.server'

const violin = {
  name: 'Concert Violin 4/4',
  img: '/plates/violin-4-4.svg',
  description: 'Spruce and maple, set up and ready to play',
  minQuantity: 2,
  availableQuantity: 36,
  family: 'strings',
  brand: 'Buffet',
  price: 1450,
  priceBreaks: [{ from: 10, price: 1350 }],
  attributes: { Body: 'Spruce and maple', 'String length': '328 mm' },
  pictures: [
    { img: '/plates/violin-4-4.svg', alt: 'The front of the violin' },
    { img: '/plates/violin-4-4-detail.svg', alt: 'Scroll and pegs, from the front' },
  ],
}

export const instruments: ApiPath = {
  path: '/instruments',
  tag: 'Instruments',
  endpoints: {
    GET: endpoint({
      summary: 'The instruments on sale, in the order in which they were listed',
      auth: 'anyone',
      scope: 'catalogue:read',
      paged: true,
      query: Page.extend({
        ...pick(rules, filterKeys),
        q: z.string().max(200).optional().meta({ description: 'Words of the name, family, brand or description' }),
        max: z
          .string()
          .regex(/^\d+(\.\d{1,2})?$/, { error: 'A price in dollars, like 1450.50' })
          .transform(Number)
          .pipe(z.number().min(0).max(1_000_000))
          .optional()
          .meta({ description: `Price up to, in ${inDollars}` }),
        inStock: z.literal('1').optional().meta({ description: 'Only what can be ordered now' }),
      }),
      output: z.array(InstrumentShape),
      example: { response: [{ _id: 'violin-4-4', ...violin }] },
      errors: [429],
      async run({ context, query }) {
        const { max, inStock, ...search } = query
        // 19.99 * 100 is less than 1999; half a cent more buys nothing.
        const maxCents = max === undefined ? undefined : Math.floor(max * 100 + 1e-6)
        const filters = { ...search, maxCents, inStock: inStock === '1' }
        const { instruments, next } = await searchList(context, filters)
        return { items: instruments.map(instrumentJson), next }
      },
    }),
    POST: endpoint({
      summary: 'Puts an instrument on sale',
      auth: 'admin',
      scope: 'catalogue:write',
      body: NewInstrument.extend({
        price: NewInstrument.shape.price.meta({ description: inDollars, minimum: 0.01, maximum: 999_999.99 }),
      })
        .strict()
        .superRefine(checkPriceBreaks)
        .superRefine(checkSale)
        .superRefine(checkPictures),
      output: Inserted,
      example: { body: violin, response: inserted({ id: '5d0f7c1e-63b4-4d1a-9f0b-2b7a4c8e9d10' }) },
      run: async ({ context, caller, body }) => inserted(await addInstrument(context, caller.id, body)),
    }),
  },
}

export const instrument: ApiPath = {
  path: '/instruments/{id}',
  tag: 'Instruments',
  endpoints: {
    GET: endpoint({
      summary: 'One instrument on sale; a browser that asks for HTML gets its page',
      auth: 'anyone',
      scope: 'catalogue:read',
      output: InstrumentShape,
      example: { param: 'violin-4-4', response: { _id: 'violin-4-4', ...violin } },
      errors: [404],
      async run({ context, params }) {
        const instrument = await findInstrument(context, params.id!)
        if (!instrument) throw new Refusal('not-found', 'This instrument is not on sale.')
        return instrumentJson(instrument)
      },
    }),
    DELETE: endpoint({
      summary: 'Takes an instrument off sale; its orders stay',
      auth: 'admin',
      scope: 'catalogue:write',
      output: Deleted,
      example: { param: 'violin-4-4', response: deleted(1) },
      errors: [404],
      async run({ context, caller, params }) {
        await removeInstrument(context, caller.id, params.id!)
        return deleted(1)
      },
    }),
  },
}

/** What the ETag of `GET /instruments/{id}` stands for, if one of `tags` is that of now: the statement that writes compares it once more. */
export async function seenWith(deps: Deps, id: string, tags: string[] | undefined): Promise<Seen> {
  if (!tags) return undefined
  const found = await findSeen(deps, id)
  const isCurrent = found && tags.includes(await tagOfJson(JSON.stringify(instrumentJson(found.instrument))))
  return isCurrent ? found.seen : null
}

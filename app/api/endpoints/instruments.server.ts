import { z } from 'zod'
import { call, type ApiPath } from '../endpoint.server'
import { families } from '../../store/catalog/instruments'
import { findInstrument, listInstruments } from '../../store/catalog/instruments.server'
import { Refusal } from '../../store/refusal'
import { addInstrument, NewInstrument, removeInstrument } from '../../store/catalog/manage-instruments.server'
import { Deleted, deleted, Inserted, inserted, instrumentJson, InstrumentShape, Page } from './schemas.server'

export const instruments: ApiPath = {
  path: '/instruments',
  calls: {
    GET: call({
      summary: 'The instruments on sale, in the order in which they were listed',
      who: 'anyone',
      paged: true,
      query: Page.extend({
        family: z.enum(families, { error: `One of ${families.join(', ')}` }).optional(),
        q: z.string().max(100).optional().meta({ description: 'Words of the name' }),
      }),
      answer: z.array(InstrumentShape),
      async run({ context, query }) {
        const { instruments, next } = await listInstruments(context, query)
        return { items: instruments.map(instrumentJson), next }
      },
    }),
    POST: call({
      summary: 'Puts an instrument on sale',
      who: 'admin',
      body: NewInstrument.strict(),
      answer: Inserted,
      run: async ({ context, caller, body }) => inserted(await addInstrument(context, caller.id, body)),
    }),
  },
}

export const instrument: ApiPath = {
  path: '/instruments/{id}',
  calls: {
    GET: call({
      summary: 'One instrument on sale; a browser that asks for HTML gets its page',
      who: 'anyone',
      answer: InstrumentShape,
      refusals: [404],
      async run({ context, params }) {
        const found = await findInstrument(context, params.id!)
        if (!found) throw new Refusal('not-found', 'This instrument is not on sale.')
        return instrumentJson(found)
      },
    }),
    DELETE: call({
      summary: 'Takes an instrument off sale; its orders stay',
      who: 'admin',
      answer: Deleted,
      refusals: [404],
      async run({ context, caller, params }) {
        await removeInstrument(context, caller.id, params.id!)
        return deleted(1)
      },
    }),
  },
}

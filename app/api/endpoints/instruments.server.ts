import { z } from 'zod'
import { endpoint, type ApiPath } from '../endpoint.server'
import { families } from '../../store/catalog/instruments'
import { findInstrument, listInstruments } from '../../store/catalog/instruments.server'
import { Refusal } from '../../store/refusal'
import { addInstrument, NewInstrument, removeInstrument } from '../../store/catalog/manage-instruments.server'
import { Deleted, deleted, Inserted, inserted, instrumentJson, InstrumentShape, Page } from './schemas.server'

export const instruments: ApiPath = {
  path: '/instruments',
  endpoints: {
    GET: endpoint({
      summary: 'The instruments on sale, in the order in which they were listed',
      auth: 'anyone',
      paged: true,
      query: Page.extend({
        family: z.enum(families, { error: `One of ${families.join(', ')}` }).optional(),
        q: z.string().max(100).optional().meta({ description: 'Words in the name' }),
      }),
      output: z.array(InstrumentShape),
      async run({ context, query }) {
        const { instruments, next } = await listInstruments(context, query)
        return { items: instruments.map(instrumentJson), next }
      },
    }),
    POST: endpoint({
      summary: 'Puts an instrument on sale',
      auth: 'admin',
      body: NewInstrument.strict(),
      output: Inserted,
      run: async ({ context, caller, body }) => inserted(await addInstrument(context, caller.id, body)),
    }),
  },
}

export const instrument: ApiPath = {
  path: '/instruments/{id}',
  endpoints: {
    GET: endpoint({
      summary: 'One instrument on sale; a browser that asks for HTML gets its page',
      auth: 'anyone',
      output: InstrumentShape,
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
      output: Deleted,
      errors: [404],
      async run({ context, caller, params }) {
        await removeInstrument(context, caller.id, params.id!)
        return deleted(1)
      },
    }),
  },
}

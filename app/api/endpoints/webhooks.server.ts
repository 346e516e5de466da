import { z } from 'zod'
import { logSecurityEvent } from '../../http/log.server'
import { isRecentSignIn } from '../../store/accounts/sign-in.server'
import { newId } from '../../store/shared/ids.server'
import { webhookTypes } from '../../store/integrations/webhook-types'
import {
  addWebhookEndpoint,
  deleteWebhookEndpoint,
  listWebhookEndpoints,
  testWebhookEndpoint,
  webhookUrl,
  type WebhookEndpoint,
} from '../../store/integrations/webhooks.server'
import { Refusal } from '../../store/shared/refusal'
import { endpoint, type ApiPath } from '../endpoint.server'
import { Deleted, deleted } from './schemas.server'

/* Without a scope: an endpoint outlives the key that would add it. An admin does, as with keys (decision 50). */

const events = z.array(z.enum(webhookTypes)).min(1).max(webhookTypes.length)

const WebhookEndpointShape = z
  .strictObject({
    _id: z.string(),
    url: z.string(),
    events: z.array(z.enum(webhookTypes)),
    status: z.enum(['new', 'on', 'off']).meta({ description: 'new: it has not answered a test event yet' }),
    reason: z.string().optional().meta({ description: 'Why it is off' }),
  })
  .meta({ id: 'WebhookEndpoint' })

function webhookEndpointJson({
  id,
  url,
  events,
  state,
  reason,
}: WebhookEndpoint): z.input<typeof WebhookEndpointShape> {
  return { _id: id, url, events, status: state, ...(reason !== '' && { reason }) }
}

const id = '5d0c6a52-1c0f-4b7e-9a44-3f1d2c7b8e90'
const url = 'https://warehouse.example/shop'

export const webhookEndpoints: ApiPath = {
  path: '/webhook-endpoints',
  tag: 'Webhooks',
  endpoints: {
    GET: endpoint({
      summary: 'All endpoints, oldest first',
      auth: 'admin',
      output: z.array(WebhookEndpointShape),
      example: { response: [{ _id: id, url, events: ['order.paid'], status: 'on' }] },
      run: async ({ context }) => (await listWebhookEndpoints(context)).map(webhookEndpointJson),
    }),
    POST: endpoint({
      summary:
        'Registers an endpoint. Its secret is in no other response; the caller’s last login must be at most 15 minutes old',
      auth: 'admin',
      body: z.strictObject({ url: webhookUrl.meta({ description: 'https, and a public host name' }), events }),
      output: z
        .strictObject({ acknowledged: z.literal(true), insertedId: z.string(), secret: z.string() })
        .meta({ id: 'WebhookSecret' }),
      example: {
        body: { url, events: ['order.paid', 'order.shipped'] },
        response: { acknowledged: true, insertedId: id, secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' },
      },
      errors: [409],
      async run({ context, caller, body }) {
        if (!isRecentSignIn(context, caller))
          throw new Refusal('forbidden', 'Log in again first. Your last login was more than 15 minutes ago.')
        const added = await addWebhookEndpoint(context, caller, { ...body, submissionId: newId() })
        logSecurityEvent(context, 'webhook registered', { user: caller.id })
        return { acknowledged: true as const, insertedId: added.id, secret: added.secret }
      },
    }),
  },
}

export const webhookEndpoint: ApiPath = {
  path: '/webhook-endpoints/{id}',
  tag: 'Webhooks',
  endpoints: {
    DELETE: endpoint({
      summary: 'Deletes an endpoint with its deliveries',
      auth: 'admin',
      output: Deleted,
      example: { param: id, response: deleted(1) },
      errors: [404],
      async run({ context, caller, params }) {
        if (!(await deleteWebhookEndpoint(context, caller, params.id!))) throw notFound()
        logSecurityEvent(context, 'webhook ended', { user: caller.id })
        return deleted(1)
      },
    }),
  },
}

export const webhookTest: ApiPath = {
  path: '/webhook-endpoints/{id}/test',
  tag: 'Webhooks',
  endpoints: {
    POST: endpoint({
      summary: 'Posts a test event; an answer of 2xx switches the endpoint on',
      auth: 'admin',
      output: z
        .strictObject({
          isOn: z.boolean().meta({ description: 'Whether the answer was 2xx' }),
          status: z.int().nullable().meta({ description: 'Of the answer; null: there was none' }),
          answer: z.string().meta({ description: 'Its first 200 characters, or why there was none' }),
        })
        .meta({ id: 'WebhookTest' }),
      example: { param: id, response: { isOn: true, status: 204, answer: '' } },
      errors: [404],
      async run({ context, caller, params }) {
        const result = await testWebhookEndpoint(context, caller, params.id!)
        if (!result) throw notFound()
        return result
      },
    }),
  },
}

function notFound(): Refusal {
  return new Refusal('not-found', 'There is no such endpoint.')
}

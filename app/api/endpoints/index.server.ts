import type { ApiPath } from '../endpoint.server'
import { instrumentChanges } from './instrument-changes.server'
import { instrument, instruments } from './instruments.server'
import { orderChanges } from './order-changes.server'
import { order, orders, paymentIntent, shipment } from './orders.server'
import { refunds } from './refunds.server'
import { stock } from './stock.server'
import { adminFlag, profile, userAdmin, users, userToken } from './users.server'
import { reviews } from './reviews.server'
import { webhookEndpoint, webhookEndpoints, webhookTest } from './webhooks.server'

export const apiPaths: ApiPath[] = [
  instruments,
  instrument,
  stock,
  instrumentChanges,
  orders,
  order,
  shipment,
  refunds,
  orderChanges,
  paymentIntent,
  reviews,
  userToken,
  profile,
  adminFlag,
  users,
  userAdmin,
  webhookEndpoints,
  webhookEndpoint,
  webhookTest,
]

import { plantedDiscounts } from './planted-discounts'
import { plantedSalePrices } from './planted-sale-prices'
import { plantedIdentity } from './planted-identity'
import { plantedIntegrations } from './planted-integrations'
import { plantedInvoices } from './planted-invoices'
import { plantedOrders } from './planted-orders'

export const plantedBugs = [
  ...plantedOrders,
  ...plantedDiscounts,
  ...plantedSalePrices,
  ...plantedIntegrations,
  ...plantedInvoices,
  ...plantedIdentity,
]

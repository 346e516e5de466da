/** What an order has only where somebody has asked for it. */
export const withoutExtras = {
  carrier: null,
  trackingNumber: null,
  trackingUrl: null,
  company: null,
  vatNumber: null,
  purchaseOrder: null,
  language: 'en' as const,
  dispute: null,
  discountCode: null,
  discountCents: null,
}

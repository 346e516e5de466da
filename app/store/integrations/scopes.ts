/** What an API key may do. A call declares the one that it needs. */
export const scopes = [
  ...(['catalogue:read', 'catalogue:write', 'orders:read', 'orders:ship', 'orders:refund', 'customers:read'] as const),
] as const
export type Scope = (typeof scopes)[number]

/** The box of each scope in the form of a key, and its words. */
export const scopeFields = {
  'catalogue:read': { field: 'readCatalogue', words: 'Read the catalogue' },
  'catalogue:write': { field: 'writeCatalogue', words: 'Add and delete products, change stock' },
  'orders:read': { field: 'readOrders', words: 'Read orders' },
  'orders:ship': { field: 'ship', words: 'Ship orders' },
  'orders:refund': { field: 'refund', words: 'Refund orders' },
  'customers:read': { field: 'readCustomers', words: 'Read customers' },
} as const satisfies Record<Scope, { field: string; words: string }>

/** Days that a key lives: what the form offers. */
export const keyLifetimes = ['30', '90', '365'] as const

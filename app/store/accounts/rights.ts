import type { Role } from './sign-in'

/** What only some of those who work in the shop may do (R53). `shop`: everything else, such as products, people and money. */
export type Right = 'orders' | 'ship' | 'books' | 'shop'

const rights: Record<Role, Right[]> = {
  customer: [],
  packer: ['orders', 'ship'],
  bookkeeper: ['orders', 'books'],
  admin: ['orders', 'ship', 'books', 'shop'],
}

/** `orders`: read all of them. `ship`: also slips, notes and the picking list. `books`: invoices, receipts, reports, exports. */
export function may({ role }: { role: Role }, right: Right): boolean {
  return rights[role].includes(right)
}

export function isStaff(user: { role: Role } | null | undefined): boolean {
  return user != null && user.role !== 'customer'
}

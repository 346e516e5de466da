import type { PlantedBug } from './planted'

const settling = 'app/store/settling.server.ts'

/** Bugs with money, stock, orders, letters and lists. */
export const plantedOrders: PlantedBug[] = [
  {
    name: 'a payment that can no longer be stopped is taken for stopped',
    file: settling,
    from: `if (found.state === 'open') return 'under-way'`,
    to: '',
    tests: ['app/store/settling.server.test.ts'],
  },
]

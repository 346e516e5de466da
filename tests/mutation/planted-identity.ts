import type { PlantedBug } from './planted'

/** Bugs with who somebody is, and what they may do. */
export const plantedIdentity: PlantedBug[] = []

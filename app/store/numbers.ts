/** `12`, `-3`: digits only, as people write whole numbers. Undefined for anything else: `1e3`, `0x10`, `1.0`, `+1`. */
export function readWholeNumber(text: string): number | undefined {
  return /^-?\d+$/.test(text.trim()) ? Number(text) : undefined
}

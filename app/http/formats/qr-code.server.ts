import { encode } from 'uqr'

export interface QrCodeShape {
  /** Modules on each side, the quiet zone included. */
  size: number
  /** The dark modules, for the `d` of an SVG path. */
  path: string
}

export function qrCode(text: string): QrCodeShape {
  const { size, data } = encode(text, { ecc: 'M', border: 4 })
  const rows = data.map((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')).join(''))
  return { size, path: rows.join('') }
}

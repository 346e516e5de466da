/** Of text on what is behind it (WCAG 1.4.3). */
export const minContrast = 4.5

/** The panels of both schemes, as in ui/base.css: what stands out there stands out on paper too. */
const panels = { light: '#efe5d3', dark: '#251d17' }

export const colorPattern = /^#[0-9a-f]{6}$/i

type Rgb = [number, number, number]

const rgbOf = (color: string): Rgb => [1, 3, 5].map((at) => parseInt(color.slice(at, at + 2), 16)) as Rgb

const hexOf = (rgb: Rgb): string => `#${rgb.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`

/** Relative luminance (WCAG 2.2). */
function luminanceOf(color: string): number {
  const [red, green, blue] = rgbOf(color).map((part) => {
    const share = part / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }) as Rgb
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

export function contrastOf(one: string, other: string): number {
  const [lighter, darker] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => b - a) as [number, number]
  return (lighter + 0.05) / (darker + 0.05)
}

/** The first of 256 steps towards black or white that can be read on a panel of the scheme: the last can. The color itself if it can. */
function nearest(color: string, scheme: 'light' | 'dark'): string {
  const end = scheme === 'light' ? 0 : 255
  for (let step = 0; ; step++) {
    const mixed = hexOf(rgbOf(color).map((part) => part + ((end - part) * step) / 255) as Rgb)
    if (contrastOf(mixed, panels[scheme]) >= minContrast) return mixed
  }
}

/** What is near a color and can be read in the light scheme; the same for the dark one, where every color is lightened as far as it must. */
export function shadesOf(color: string): { light: string; dark: string } {
  return { light: nearest(color, 'light'), dark: nearest(color, 'dark') }
}

/** CSS that replaces the colors of ui/base.css. Empty: they stay. */
export function themeOf({ mainColor, accentColor }: { mainColor: string; accentColor: string }): string {
  const rule = (scheme: 'light' | 'dark') =>
    [
      ['varnish', mainColor],
      ['brass', accentColor],
    ]
      .flatMap(([name, color]) => (colorPattern.test(color!) ? [`--color-${name}:${shadesOf(color!)[scheme]}`] : []))
      .join(';')
  if (!rule('light')) return ''
  return `:root{${rule('light')}}@media screen and (prefers-color-scheme:dark){:root{${rule('dark')}}}`
}

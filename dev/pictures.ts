import { readdirSync, readFileSync } from 'node:fs'
import sharp from 'sharp'
import type { Plugin } from 'vite'
import { smallPlates } from './small-plates'

const background = '#fbf7f0'

export function pictures(): Plugin {
  return {
    name: 'pictures',
    async generateBundle() {
      const files = {
        'touch-icon.png': touchIcon(),
        'social-card.png': socialCard(),
        'plates/small.json': JSON.stringify(smallPlates()),
        ...plates(),
      }
      for (const [fileName, source] of Object.entries(files))
        this.emitFile({ type: 'asset', fileName, source: await source })
    },
  }
}

function touchIcon(): Promise<Buffer> {
  const mark = readFileSync('public/favicon.svg', 'utf8').replace(
    /<style>.*<\/style>/,
    '<style>g{fill:#7a2b1b;stroke:#7a2b1b}</style>',
  )
  return renderOnPaper(Buffer.from(mark), { width: 180, height: 180, margin: 26 })
}

function socialCard(): Promise<Buffer> {
  return renderOnPaper(readFileSync('public/art/hero.svg'), { width: 1200, height: 630, margin: 40 })
}

/** Search engines and social networks take no SVG. */
function plates(): Record<string, Promise<Buffer>> {
  const names = readdirSync('public/plates')
    .filter((name) => !name.endsWith('-detail.svg'))
    .map((name) => `plates/${name}`)
  return Object.fromEntries(names.map((name) => [name.replace('.svg', '.png'), plate(`public/${name}`)]))
}

function plate(file: string): Promise<Buffer> {
  return renderOnPaper(readFileSync(file), { width: 800, height: 800, margin: 40 })
}

async function renderOnPaper(
  svg: Buffer,
  { width, height, margin }: { width: number; height: number; margin: number },
) {
  const drawing = await sharp(svg, { density: 300 })
    .resize(width - 2 * margin, height - 2 * margin, { fit: 'contain', background })
    .toBuffer()
  return sharp({ create: { width, height, channels: 3, background } })
    .composite([{ input: drawing }])
    .png({ palette: true })
    .toBuffer()
}

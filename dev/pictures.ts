import { readFileSync } from 'node:fs'
import sharp from 'sharp'
import type { Plugin } from 'vite'

const background = '#fbf7f0'

export function pictures(): Plugin {
  return {
    name: 'pictures',
    async generateBundle() {
      const source = await Promise.all([touchIcon(), socialCard()])
      this.emitFile({ type: 'asset', fileName: 'touch-icon.png', source: source[0] })
      this.emitFile({ type: 'asset', fileName: 'social-card.png', source: source[1] })
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

import type { Deps } from '../deps'
import { hashOf, pictureErrors, storePicture } from '../catalog/pictures/pictures.server'
import { maxLogoBytes } from '../shared/limits'
import { Refusal } from '../shared/refusal'
import { cleanSvg, SvgProblem } from './clean-svg.server'

/**
 * Stores a logo, and gives its address: an SVG as `cleanSvg` writes it, any other picture as `storePicture` does (decision 56). Refuses what
 * either refuses, before anything is stored.
 */
export async function storeLogo(deps: Pick<Deps, 'pictures'>, file: File): Promise<string> {
  const head = await file.slice(0, 1000).text()
  return head.trimStart().startsWith('<') ? storeSvg(deps, file) : storePicture(deps, file)
}

async function storeSvg({ pictures }: Pick<Deps, 'pictures'>, file: File): Promise<string> {
  if (!pictures) throw refusal(pictureErrors.unavailable)
  if (file.size > maxLogoBytes) throw refusal(`An SVG may have at most ${maxLogoBytes / 1024} KB. Save it as PNG.`)
  const { text, width, height } = clean(await file.arrayBuffer())
  const bytes = new TextEncoder().encode(text)
  const key = `${await hashOf(bytes)}-${width}x${height}/logo.svg`
  try {
    await pictures.store(key, new Blob([bytes]))
  } catch (error) {
    throw new Refusal('unavailable', pictureErrors.notStored, { cause: error })
  }
  return `/pictures/${key}`
}

function clean(bytes: ArrayBuffer) {
  try {
    return cleanSvg(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (error) {
    if (error instanceof SvgProblem) throw refusal(error.message)
    if (error instanceof TypeError) throw refusal('The SVG is not in UTF-8. Save it again as plain SVG, or as PNG.')
    throw error
  }
}

function refusal(message: string): Refusal {
  return new Refusal('invalid', '', { fields: { picture: [message] } })
}

import { ProviderError, type Pictures } from '../store/deps'

/** Of Cloudflare's Images: the picture is too large, no image, has too many pixels, or a format that it does not take. */
const codesOfBadPictures = [9402, 9412, 9413, 9520]

/** Cloudflare's Images binding and R2: developers.cloudflare.com/images/transform-images/bindings. Null without both. */
export function cloudflarePictures({ IMAGES: images, PICTURES: bucket }: Partial<Bindings>): Pictures | null {
  if (!images || !bucket) return null
  return {
    measure: (picture) =>
      ask(async () => {
        const info = await images.info(picture.stream())
        if ('width' in info) return { width: info.width, height: info.height }
        throw new ProviderError('An SVG has no pixels', { final: true })
      }),
    convert: (picture, { side, format, quality, ...more }) =>
      ask(async () => {
        const type = `image/${format}` as const
        const result = await images
          .input(picture.stream())
          .transform({ width: side, height: side, fit: 'scale-down', ...more })
          .output({ format: type, ...(quality !== undefined && { quality }) })
        // Under load it falls back to a format that is quicker to make.
        if (result.contentType() !== type) throw new Error(`Images made ${result.contentType()} instead of ${type}`)
        return result.response().blob()
      }),
    store: (key, file) =>
      ask(async () => {
        await bucket.put(key, file)
      }),
    find: (key) => ask(async () => (await bucket.get(key))?.body ?? null),
  }
}

/** Made by the build (dev/small-plates.ts). */
export async function readSmallPlates({ ASSETS: assets }: Partial<Bindings>): Promise<Record<string, string>> {
  const response = await assets?.fetch('https://assets.local/plates/small.json')
  return response?.ok ? response.json() : {}
}

interface Bindings {
  ASSETS: Fetcher
  IMAGES: ImagesBinding
  PICTURES: R2Bucket
}

async function ask<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    if (error instanceof ProviderError) throw error
    const final = codesOfBadPictures.includes((error as { code?: number }).code ?? 0)
    throw new ProviderError('Pictures: the provider failed', { final, cause: error })
  }
}

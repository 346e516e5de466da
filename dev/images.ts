import { join } from 'node:path'
import { Miniflare, Request, Response, type WorkerOptions } from 'miniflare'
import sharp, { type Sharp } from 'sharp'
import { endWorkerdWithParent } from './end-with-parent'

/**
 * Cloudflare's Images binding, as far as the shop uses it. Miniflare's own ignores the quality and the EXIF orientation,
 * and takes no AVIF.
 */
const imagesScript = `
class Transformer {
  constructor(service, stream, transforms) {
    Object.assign(this, { service, stream, transforms })
  }
  transform(transform) {
    return new Transformer(this.service, this.stream, [...this.transforms, transform])
  }
  async output(options) {
    const response = await ask(this.service, this.stream, { transforms: this.transforms, ...options })
    return { response: () => response, image: () => response.body, contentType: () => response.headers.get('content-type') }
  }
}
async function ask(service, stream, task) {
  const response = await service.fetch('http://images/', { method: 'POST', body: stream, headers: { task: JSON.stringify(task) } })
  if (response.ok) return response
  throw Object.assign(new Error(await response.text()), { code: Number(response.headers.get('code')) })
}
export default ({ SHARP }) => ({
  info: async (stream) => (await ask(SHARP, stream, null)).json(),
  input: (stream) => new Transformer(SHARP, stream, []),
})`

interface Task {
  transforms: { width?: number; height?: number; blur?: number; background?: string }[]
  format: 'image/avif' | 'image/webp' | 'image/png'
  quality?: number
}

/** For the Workers of Miniflare: a bucket and the Images binding, which fails while `isDown`. */
export const pictureBindings = { r2Buckets: { PICTURES: 'pictures' }, wrappedBindings: { IMAGES: 'images' } }

export function imagesWorker(isDown: () => boolean): WorkerOptions {
  return {
    name: 'images',
    modules: [{ type: 'ESModule', path: join(process.cwd(), 'images.js'), contents: imagesScript }],
    serviceBindings: {
      SHARP: (request: Request) =>
        isDown() ? new Response('down', { status: 500, headers: { code: '9523' } }) : runImages(request),
    },
  }
}

/** The same for a Worker in this process. */
export async function localPictureBindings(dataDir: string): Promise<object> {
  endWorkerdWithParent()
  const bucket = new Miniflare({
    modules: true,
    script: 'export default {}',
    r2Persist: join(dataDir, 'pictures'),
    r2Buckets: pictureBindings.r2Buckets,
  })
  return { PICTURES: await bucket.getR2Bucket('PICTURES'), IMAGES: await localImages() }
}

export async function localImages(): Promise<ImagesBinding> {
  const { default: bind } = (await import(`data:text/javascript,${encodeURIComponent(imagesScript)}`)) as {
    default: (env: object) => ImagesBinding
  }
  const fetch = (url: string, init: object) => runImages(new Request(url, { ...init, duplex: 'half' }))
  return bind({ SHARP: { fetch } })
}

/** The codes are those of https://developers.cloudflare.com/images/reference/troubleshooting/. */
async function runImages(request: Request): Promise<Response> {
  const task = JSON.parse(request.headers.get('task')!) as Task | null
  const input = await request.arrayBuffer()
  try {
    if (!task) {
      const { format, width, height, compression } = await sharp(input, { limitInputPixels: false }).metadata()
      const type = compression === 'av1' ? 'avif' : format
      return Response.json({ format: `image/${type}`, fileSize: input.byteLength, width, height })
    }
    const image = sharp(input).autoOrient()
    for (const { width, height, blur, background } of task.transforms) {
      if (width !== undefined || height !== undefined) {
        image.resize(width ?? null, height ?? null, { fit: 'inside', withoutEnlargement: true })
      }
      if (blur !== undefined) image.blur(blur)
      if (background !== undefined) image.flatten({ background })
    }
    return new Response(await encode(image, task).toBuffer(), { headers: { 'content-type': task.format } })
  } catch (error) {
    return new Response(String(error), { status: 415, headers: { code: '9412' } })
  }
}

function encode(image: Sharp, { format, quality }: Task): Sharp {
  if (format === 'image/png') return image.png()
  return format === 'image/webp' ? image.webp({ quality }) : image.avif({ quality, effort: 2 })
}

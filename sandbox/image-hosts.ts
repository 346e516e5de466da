const pixel = Buffer.from('R0lGODlhAQABAIAAAP///wAAACH5BAAAAAAALAAAAAABAAEAAAICRAEAOw==', 'base64')

/** A PNG of one pixel. */
const photo = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

/** Any host of pictures: `/image-hosts/{host}/{path}`. Some hosts misbehave (docs/running.md). */
export async function fakeImageHosts(request: Request): Promise<Response> {
  const [, host = ''] = /^\/image-hosts\/([^/]+)/.exec(new URL(request.url).pathname) ?? []
  const moved = (location: string) => new Response(null, { status: 302, headers: { location } })
  const hosts: Record<string, () => Response | Promise<Response>> = {
    'gone.example': () => new Response('Not found', { status: 404 }),
    'page.example': () => new Response('<h1>Hello</h1>', { headers: { 'content-type': 'text/html' } }),
    'moved.example': () => moved('https://pictures.example/moved.gif'),
    'inward.example': () => moved('https://127.0.0.1/picture.gif'),
    'photos.example': () => new Response(photo, { headers: { 'content-type': 'image/png' } }),
    'vector.example': () =>
      new Response('<svg xmlns="http://www.w3.org/2000/svg"/>', { headers: { 'content-type': 'image/svg+xml' } }),
    'huge.example': () => new Response(new Uint8Array(11 * 1024 * 1024), { headers: { 'content-type': 'image/png' } }),
    'round.example': () => moved('https://round.example/again.png'),
    'private.example': () => moved('https://db.internal/picture.png'),
    'silent.example': () => new Promise(() => undefined),
  }
  return (await hosts[host]?.()) ?? new Response(pixel, { headers: { 'content-type': 'image/gif' } })
}

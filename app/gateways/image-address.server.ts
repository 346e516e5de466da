const timeout = 3000
const maxRedirects = 3

/**
 * Whether an address answers with an image within three seconds. It is what an admin typed: only https to public host
 * names, each redirect checked again, no body read. `hostsUrl`: a fake of all hosts.
 */
export function imageChecker(hostsUrl: string | undefined): (address: string) => Promise<boolean> {
  return async (address) => {
    try {
      return await answersWithImage(address, hostsUrl, AbortSignal.timeout(timeout))
    } catch {
      return false
    }
  }
}

async function answersWithImage(address: string, hostsUrl: string | undefined, signal: AbortSignal): Promise<boolean> {
  let url = new URL(address)
  for (let redirects = 0; redirects <= maxRedirects; redirects++) {
    if (!isPublic(url)) return false
    const target = hostsUrl ? `${hostsUrl}/image-hosts/${url.host}${url.pathname}${url.search}` : url
    const response = await fetch(target, { headers: { accept: 'image/*' }, redirect: 'manual', signal })
    await response.body?.cancel()
    const location = response.headers.get('location')
    if (response.status < 300 || response.status >= 400 || location === null) {
      return response.ok && /^image\//i.test(response.headers.get('content-type') ?? '')
    }
    url = new URL(location, url)
  }
  return false
}

/** No IP address, no name of a private network, no other port. `URL` has normalized 0x7f.1 and the like. */
function isPublic({ protocol, port, username, hostname }: URL): boolean {
  const isName = /^[a-z0-9-]+(\.[a-z0-9-]+)*\.[a-z][a-z0-9-]*$/.test(hostname)
  const isPrivate = /\.(localhost|local|internal|lan|home|corp|home\.arpa)$/.test(hostname)
  return protocol === 'https:' && port === '' && username === '' && isName && !isPrivate
}

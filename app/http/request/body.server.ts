/**
 * Null if the body is larger than `maxBytes`. Then it reads on without storing up to `maxDiscarded` bytes in all, and
 * stops: a browser that is still sending shows a broken connection instead of the response.
 */
export async function readAtMost(
  request: Request,
  maxBytes: number,
  maxDiscarded = 0,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const max = Math.max(maxBytes, maxDiscarded)
  if (Number(request.headers.get('content-length') ?? 0) > max) return null
  const reader = request.body?.getReader()
  const chunks: Uint8Array[] = []
  let size = 0
  for (let chunk = await reader?.read(); chunk && !chunk.done; chunk = await reader?.read()) {
    size += chunk.value.byteLength
    if (size > max) {
      await reader?.cancel()
      return null
    }
    if (size <= maxBytes) chunks.push(chunk.value)
  }
  if (size > maxBytes) return null
  const body = new Uint8Array(size)
  let offset = 0
  for (const chunk of chunks) {
    body.set(chunk, offset)
    offset += chunk.byteLength
  }
  return body
}

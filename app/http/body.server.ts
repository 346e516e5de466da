/** The body of a request, if it has at most so many bytes, else null: no more than that is ever read. */
export async function readAtMost(request: Request, most: number): Promise<Uint8Array<ArrayBuffer> | null> {
  if (Number(request.headers.get('content-length') ?? 0) > most) return null
  const reader = request.body?.getReader()
  const chunks: Uint8Array[] = []
  let size = 0
  for (let chunk = await reader?.read(); chunk && !chunk.done; chunk = await reader?.read()) {
    size += chunk.value.byteLength
    if (size > most) {
      await reader?.cancel()
      return null
    }
    chunks.push(chunk.value)
  }
  const body = new Uint8Array(size)
  let at = 0
  for (const chunk of chunks) {
    body.set(chunk, at)
    at += chunk.byteLength
  }
  return body
}

/** A large shop does not fit into memory. */
export function streamOf(parts: AsyncGenerator<string | Uint8Array, void>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  return new ReadableStream({
    async pull(controller) {
      const part = await parts.next()
      if (part.done) controller.close()
      else controller.enqueue(typeof part.value === 'string' ? encoder.encode(part.value) : part.value)
    },
    async cancel() {
      await parts.return()
    },
  })
}

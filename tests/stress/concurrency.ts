export async function runConcurrently<T>(
  limit: number,
  times: number,
  task: (index: number) => Promise<T>,
): Promise<T[]> {
  const results: T[] = []
  let next = 0
  const runNext = async () => {
    while (next < times) {
      const index = next++
      results[index] = await task(index)
    }
  }
  await Promise.all(Array.from({ length: limit }, runNext))
  return results
}

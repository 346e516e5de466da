/** Runs `task` so often, at most `lanes` at a time; answers the results in order. */
export async function runConcurrently<T>(
  lanes: number,
  times: number,
  task: (index: number) => Promise<T>,
): Promise<T[]> {
  const results: T[] = []
  let next = 0
  const lane = async () => {
    while (next < times) {
      const index = next++
      results[index] = await task(index)
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  return results
}

import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

const wrapper = fileURLToPath(new URL('end-with-parent.sh', import.meta.url))
const variables = (program: string) => ({ CADENZA_PROGRAM: program, CADENZA_PARENT: String(process.pid) })

/** What to give to `spawn` in place of a program, so that it does not outlive this process, not even a `kill -9` of it. */
export function endWithParent(program: string): { file: string; env: Record<string, string> } {
  return { file: wrapper, env: variables(program) }
}

/** The same for the workerd of each Miniflare that this process starts from now on. */
export function endWorkerdWithParent(): void {
  const require = createRequire(createRequire(import.meta.url).resolve('miniflare'))
  const { default: workerd } = require('workerd') as { default: string }
  Object.assign(process.env, variables(workerd), { MINIFLARE_WORKERD_PATH: wrapper })
}

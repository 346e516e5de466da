import type { ClientActionFunctionArgs } from '@remix-run/react'
import { useEffect, useState } from 'react'
import { clientAction as sendOrLose } from '../lost-connection'

/* Orders without a line (decision 39) are a script of their own, which comes after the page: before the line goes. */

type Module = typeof import('./unsent-orders')

let loading: Promise<Module> | undefined

async function load(): Promise<Module | undefined> {
  // It would be a second file of the Worker.
  if (import.meta.env.SSR) return undefined
  try {
    return await (loading ??= import('./unsent-orders'))
  } catch {
    loading = undefined
    return undefined
  }
}

export async function clientAction(args: ClientActionFunctionArgs) {
  return ((await load())?.sendOrder ?? sendOrLose)(args)
}

interface UnsentProps {
  part: 'UnsentOrderHere' | 'UnsentOrders'
  email: string
  path: string
}

export function Unsent({ part, email, path }: UnsentProps) {
  const [module, setModule] = useState<Module>()
  useEffect(() => void load().then(setModule), [])
  const Part = module?.[part]
  return Part ? <Part email={email} path={path} /> : null
}

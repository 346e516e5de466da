import type { ClientActionFunctionArgs } from '@remix-run/react'
import { useEffect, useState } from 'react'
import { clientAction as sendOrLose } from '../../browser/lost-connection'

/* Orders sent offline (decision 39) are a script of their own, which comes after the page: before the connection goes. */

type Parts = (typeof import('./unsent-orders'))['default']

let loading: Promise<Parts> | undefined

async function load(): Promise<Parts | undefined> {
  // It would be a second file of the Worker.
  if (import.meta.env.SSR) return undefined
  try {
    return await (loading ??= import('./unsent-orders').then(({ default: parts }) => parts))
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
  const [parts, setParts] = useState<Parts>()
  useEffect(() => void load().then(setParts), [])
  const Part = parts?.[part]
  return Part ? <Part email={email} path={path} /> : null
}

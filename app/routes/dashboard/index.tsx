import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/cloudflare'
import { useLoaderData } from '@remix-run/react'
import { requireVisitor } from '../../http/visitor.server'
import { PageHeader } from '../../ui/page-header'

export const meta: MetaFunction = () => [{ title: 'Dashboard · Cadenza' }]

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { name } = await requireVisitor(request, context)
  return { name }
}

export default function Greeting() {
  const { name } = useLoaderData<typeof loader>()
  return <PageHeader title={`Hello, ${name}`} lead="Welcome to your Dashboard" />
}

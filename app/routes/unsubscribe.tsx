import { data, type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/cloudflare'
import { useActionData, useLoaderData } from '@remix-run/react'
import { findUnsubscriber, unsubscribe } from '../store/catalog/wishes.server'
import { Button, ButtonLink } from '../ui/button'
import { PageHeader } from '../ui/layout/page-header'
import { shopName } from '../shop-name'

export const meta: MetaFunction = () => [
  { title: `Back-in-stock emails · ${shopName}` },
  { name: 'robots', content: 'noindex' },
]

const tokenOf = (request: Request) => new URL(request.url).searchParams.get('token') ?? ''

/** No login, and no change: email programs open links to scan them. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const found = await findUnsubscriber(context, tokenOf(request))
  return data({ names: found?.names ?? null }, { status: found ? 200 : 404 })
}

/** Email programs post here without a cookie, and follow no redirect (RFC 8058). */
export async function action({ request, context }: ActionFunctionArgs) {
  await request.body?.cancel()
  const isEnded = await unsubscribe(context, tokenOf(request))
  return data({ isEnded }, { status: isEnded ? 200 : 404 })
}

export default function Unsubscribe() {
  const { names } = useLoaderData<typeof loader>()
  const isEnded = useActionData<typeof action>()?.isEnded ?? false
  return (
    <div className="section">
      <PageHeader title="Back-in-stock emails" />
      {names === null ? (
        <p>
          This link is incomplete or no longer valid. You can <a href="/dashboard/wishes">log in</a> to see what you
          wait for.
        </p>
      ) : names.length > 0 ? (
        <>
          <p>You wait for {names.join(', ')}.</p>
          <form method="post">
            <Button>Send me none of these emails</Button>
          </form>
        </>
      ) : (
        <>
          <p role="status">
            {isEnded
              ? 'Done. We send you no more back-in-stock emails.'
              : 'You wait for no instrument. We send you no such email.'}
          </p>
          <p>
            <ButtonLink href="/allInstruments" variant="quiet">
              View All Instruments
            </ButtonLink>
          </p>
        </>
      )}
    </div>
  )
}

import { data, type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/cloudflare'
import { useActionData, useLoaderData } from '@remix-run/react'
import { findUnsubscriber, unsubscribe } from '../store/catalog/wishes.server'
import { endReviewEmails, readReviewEmails } from '../store/reviews/review-emails.server'
import { Button, ButtonLink } from '../ui/button'
import { PageHeader } from '../ui/layout/page-header'
import { shopName } from '../shop-name'

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${titleOf(data?.about)} · ${shopName}` },
  { name: 'robots', content: 'noindex' },
]

const tokenOf = (request: Request) => new URL(request.url).searchParams.get('token') ?? ''

/** No login, and no change: email programs open links to scan them. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const token = tokenOf(request)
  const reviews = await readReviewEmails(context, token)
  if (reviews) return data({ about: 'reviews' as const, names: null, areOn: reviews.areOn })
  const found = await findUnsubscriber(context, token)
  if (!found) return data({ about: 'nothing' as const, names: null, areOn: false }, { status: 404 })
  return data({ about: 'wishes' as const, names: found.names, areOn: found.names.length > 0 })
}

/** Email programs post here without a cookie, and follow no redirect (RFC 8058). */
export async function action({ request, context }: ActionFunctionArgs) {
  await request.body?.cancel()
  const token = tokenOf(request)
  const isEnded = (await endReviewEmails(context, token)) || (await unsubscribe(context, token))
  return data({ isEnded }, { status: isEnded ? 200 : 404 })
}

const titleOf = (about?: string) => (about === 'reviews' ? 'Emails about reviews' : 'Back-in-stock emails')

export default function Unsubscribe() {
  const { about, names, areOn } = useLoaderData<typeof loader>()
  const isEnded = useActionData<typeof action>()?.isEnded ?? false
  const isReviews = about === 'reviews'
  return (
    <div className="section">
      <PageHeader title={titleOf(about)} />
      {about === 'nothing' ? (
        <p>
          This link is incomplete or no longer valid. You can <a href="/dashboard/wishes">log in</a> to see what you
          wait for.
        </p>
      ) : areOn ? (
        <>
          <p>
            {isReviews
              ? 'After some deliveries we ask for a review of what you bought.'
              : `You wait for ${names.join(', ')}.`}
          </p>
          <form method="post">
            <Button>Send me none of these emails</Button>
          </form>
        </>
      ) : (
        <>
          <p role="status">{isReviews ? 'Done. We ask you for no more reviews.' : endOfWishes(isEnded)}</p>
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

function endOfWishes(isEnded: boolean): string {
  return isEnded
    ? 'Done. We send you no more back-in-stock emails.'
    : 'You wait for no instrument. We send you no such email.'
}

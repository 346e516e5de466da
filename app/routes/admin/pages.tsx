import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/cloudflare'
import { useLoaderData } from '@remix-run/react'
import { requireAdminOrHome } from '../../http/auth/require-user.server'
import { starterFactsOf } from '../../http/config.server'
import { formatDay } from '../../store/shared/dates'
import { listPages, type ManagedPage } from '../../store/pages/manage-pages.server'
import { pagePath, underOwnTitle } from '../../store/pages/pages'
import { starters } from '../../store/pages/starters.server'
import { Badge } from '../../ui/badge'
import { ButtonLink } from '../../ui/button'
import { PageHeader } from '../../ui/layout/page-header'
import { ResponsiveTable } from '../../ui/responsive-table'
import { shopName } from '../../shop-name'

const path = '/dashboard/settings/pages'

export const meta: MetaFunction = () => [{ title: `Pages · ${shopName}` }]

export async function loader({ request, context }: LoaderFunctionArgs) {
  await requireAdminOrHome(request, context)
  const pages = await listPages(context)
  const missing = starters(starterFactsOf(context)).filter(
    (starter) => !pages.some(({ slug, footer }) => slug === starter.slug || footer === starter.title),
  )
  return { pages, missing: missing.map(({ name, title }) => ({ name, title })) }
}

export default function Pages() {
  const { pages, missing } = useLoaderData<typeof loader>()
  return (
    <>
      <PageHeader
        title="Pages"
        lead="Terms, privacy and whatever else the shop has to say. A published page is linked in the footer, in the sitemap and offline."
      >
        <p className="actions">
          <ButtonLink href={`${path}/new`}>Add a page</ButtonLink>{' '}
          <ButtonLink variant="quiet" href="/dashboard/settings">
            Back to the settings
          </ButtonLink>
        </p>
      </PageHeader>
      {pages.length > 0 && (
        <ResponsiveTable
          caption="Pages"
          rows={pages}
          rowKey={({ id }) => id}
          columns={[
            {
              header: 'Title',
              rowHeader: true,
              cell: ({ id, title }) => (
                <a className="link" href={`${path}/${id}`}>
                  {title}
                </a>
              ),
            },
            { header: 'State', cell: (page) => <State page={page} /> },
            { header: 'Address', cell: (page) => <Address page={page} /> },
            { header: 'Footer', cell: ({ footer }) => (footer === underOwnTitle ? 'Its title' : footer || 'No link') },
            { header: 'Changed', cell: ({ changedAt, changedBy }) => `${formatDay(changedAt)}, ${changedBy}` },
          ]}
        />
      )}
      {missing.length > 0 && (
        <section className="section">
          <h2>To begin with</h2>
          <p>
            These name what this shop really stores and sets. Read them, change what is different with you, and publish
            them. They are no legal advice.
          </p>
          <ul className="rules">
            {missing.map(({ name, title }) => (
              <li key={name}>
                <a href={`${path}/new?starter=${name}`}>{title}</a>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  )
}

function State({ page: { publishedAt, hasDraft } }: { page: ManagedPage }) {
  if (publishedAt === null) return <Badge>Draft</Badge>
  return hasDraft ? (
    <>
      <Badge tone="success">Published</Badge> <Badge>Changes not published</Badge>
    </>
  ) : (
    <Badge tone="success">Published</Badge>
  )
}

function Address({ page: { slug, publishedAt } }: { page: ManagedPage }) {
  return publishedAt === null ? pagePath(slug) : <a href={pagePath(slug)}>{pagePath(slug)}</a>
}

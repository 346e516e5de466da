import { redirect, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/cloudflare'
import { useLoaderData } from '@remix-run/react'
import { firstWords } from '../store/catalog/catalog'
import { formatDay } from '../store/shared/dates'
import { findPublicPage } from '../store/pages/manage-pages.server'
import { renderMarkdown } from '../store/pages/markdown.server'
import { pagePath } from '../store/pages/pages'
import { PageHeader } from '../ui/layout/page-header'
import { shopName } from '../shop-name'
import { t } from '../i18n/language'
import { localPath } from '../i18n/paths'

export const meta: MetaFunction<typeof loader> = ({ data }) =>
  data
    ? [
        { title: `${data.title} · ${shopName}` },
        { name: 'description', content: data.summary },
        { tagName: 'link', rel: 'canonical', href: data.url },
      ]
    : []

export async function loader({ params, context }: LoaderFunctionArgs) {
  const slug = (params.slug ?? '').toLowerCase()
  const page = await findPublicPage(context, slug)
  if (!page) throw new Response(null, { status: 404 })
  if (page.slug !== params.slug) throw redirect(pagePath(page.slug), 301)
  const html = renderMarkdown(page.body)
  const { title, publishedAt } = page
  const summary = firstWords(html.replace(/<[^>]*>/g, ' ').replace(/&\w+;/g, ' '), 150)
  return { title, html, publishedAt, summary, url: context.origin + localPath(pagePath(slug)) }
}

export default function ShopPage() {
  const { title, html, publishedAt } = useLoaderData<typeof loader>()
  return (
    <>
      <PageHeader title={title} />
      <div className="prose" dangerouslySetInnerHTML={{ __html: html }} />
      <p className="hint">{t('Last changed {day}', { day: formatDay(publishedAt) })}</p>
    </>
  )
}

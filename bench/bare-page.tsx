import { createRequestHandler, type EntryContext, type ServerBuild } from '@remix-run/cloudflare'
import { Links, Meta, Outlet, RemixServer, Scripts, ScrollRestoration, useLoaderData } from '@remix-run/react'
import { renderToReadableStream } from 'react-dom/server.browser'

/* A Remix page with 24 cards and no database, session or styles: the baseline for the cost of our pages. */

const cards = Array.from({ length: 24 }, (_, at) => ({ id: at, name: `Instrument ${at}`, price: 100 + at, stock: at }))

function Root() {
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <Meta />
        <Links />
      </head>
      <body>
        <Outlet />
        <ScrollRestoration />
        <Scripts />
      </body>
    </html>
  )
}

function Cards() {
  return (
    <main>
      <h1>Instruments</h1>
      {useLoaderData<typeof loader>().cards.map(({ id, name, price, stock }) => (
        <article key={id} className="card">
          <img src={`/plates/${id}.svg`} alt={name} width={320} height={320} />
          <h2>{name}</h2>
          <p>Made by hand, of spruce and maple.</p>
          <p>
            ${price} <span>{stock} available</span>
          </p>
          <a href={`/instruments/${id}`}>Purchase</a>
        </article>
      ))}
    </main>
  )
}

function loader() {
  return { cards }
}

async function render(request: Request, status: number, headers: Headers, context: EntryContext) {
  const body = await renderToReadableStream(<RemixServer context={context} url={request.url} />)
  headers.set('content-type', 'text/html')
  return new Response(body, { status, headers })
}

const defaults = {
  hasAction: false,
  hasLoader: true,
  hasClientAction: false,
  hasClientLoader: false,
  hasErrorBoundary: false,
}
const build: ServerBuild = {
  entry: { module: { default: render } },
  routes: {
    root: { id: 'root', path: '', module: { default: Root } },
    cards: { id: 'cards', parentId: 'root', index: true, module: { default: Cards, loader } },
  },
  assets: {
    entry: { module: '/entry.js', imports: [] },
    routes: {
      root: { id: 'root', path: '', module: '/root.js', ...defaults, hasLoader: false },
      cards: { id: 'cards', parentId: 'root', index: true, module: '/cards.js', ...defaults },
    },
    url: '/manifest.js',
    version: '1',
  },
  future: {
    v3_fetcherPersist: true,
    v3_lazyRouteDiscovery: true,
    v3_relativeSplatPath: true,
    v3_singleFetch: true,
    v3_throwAbortReason: true,
  },
  publicPath: '/',
  assetsBuildDirectory: '',
  isSpaMode: false,
  mode: 'production',
}

const handle = createRequestHandler(build, 'production')

export default { fetch: (request: Request) => handle(request) }

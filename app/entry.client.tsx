import { RemixBrowser } from '@remix-run/react'
import { StrictMode, startTransition } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { language, setTable } from './i18n/language'

// `markError` changed the title on the server: React would find another title than its own. `FormError` sets it again.
document.title = document.title.replace(/^(Error|Fehler): /, '')

void Promise.all([readPageData(), readTexts()]).then(() =>
  startTransition(() => {
    hydrateRoot(
      document,
      <StrictMode>
        <RemixBrowser />
      </StrictMode>,
    )
  }),
)

/**
 * RemixBrowser throws a promise until it has read the page's data. If the visitor presses a key before React has begun, React 18
 * renders at once, cannot wait for that promise and gives up (its error 345): the page would stay without scripts.
 */
async function readPageData(): Promise<void> {
  try {
    RemixBrowser({})
  } catch (reading) {
    await reading
  }
}

/** The table of a German page: no other page loads it. */
async function readTexts(): Promise<void> {
  if (language() === 'de') setTable((await import('./i18n/de')).german)
}

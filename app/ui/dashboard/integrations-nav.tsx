import { BackToSettings } from './back-to-settings'

const pages = [
  { path: '/dashboard/settings/keys', text: 'API keys' },
  { path: '/dashboard/settings/webhooks', text: 'Webhooks' },
  { path: '/openapi.json', text: 'What the API can do (OpenAPI)' },
]

export function IntegrationsNav({ current }: { current: string }) {
  return (
    <>
      <BackToSettings />
      <nav aria-label="Integrations">
        <ul className="filters">
          {pages.map(({ path, text }) => (
            <li key={path}>
              <a href={path} className="menu-link" aria-current={path === current ? 'page' : undefined}>
                {text}
              </a>
            </li>
          ))}
        </ul>
      </nav>
    </>
  )
}

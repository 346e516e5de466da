const pages = [
  { path: '/dashboard/settings/keys', text: 'API keys' },
  { path: '/dashboard/settings/webhooks', text: 'Webhooks' },
]

export function IntegrationsNav({ current }: { current: string }) {
  return (
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
  )
}

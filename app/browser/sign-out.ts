/* The inline script of the first page after sign-out: what is personal goes from the browser, the revoked token too. */
for (const name of ['localStorage', 'sessionStorage'] as const) {
  try {
    const store = window[name]
    for (const key of Object.keys(store)) if (/^(accessToken$|unsentOrder\.)/.test(key)) store.removeItem(key)
  } catch {
    // not allowed
  }
}

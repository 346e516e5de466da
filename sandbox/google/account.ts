import { createHash } from 'node:crypto'

export interface Account {
  email: string
  name: string
  verified: boolean
  /** Of a Google Workspace domain: Google speaks for the address. */
  hosted: boolean
}

export const demoAccounts: Account[] = [
  { email: 'ada@example.com', name: 'Ada', verified: true, hosted: true },
  { email: 'grace@example.com', name: 'Grace', verified: true, hosted: true },
  { email: 'mallory@example.com', name: 'Mallory', verified: false, hosted: false },
]

const emailScope = 'https://www.googleapis.com/auth/userinfo.email'
const profileScope = 'https://www.googleapis.com/auth/userinfo.profile'
export const scopes: Record<string, string> = {
  openid: 'openid',
  email: emailScope,
  [emailScope]: emailScope,
  profile: profileScope,
  [profileScope]: profileScope,
}
export const requiredScopes = ['openid', emailScope]

interface Claims {
  sub: string
  email: string
  email_verified: boolean
  /** The Workspace domain. */
  hd?: string
  name?: string
  given_name?: string
  family_name?: string
  picture?: string
}

export function claimsOf({ email, name, verified, hosted }: Account, grantedScopes: string[], origin: string): Claims {
  const sub = subjectOf(email)
  const hd = hosted && verified ? { hd: email.split('@')[1]! } : {}
  const claims = { sub, email, email_verified: verified, ...hd }
  if (!grantedScopes.includes(profileScope)) return claims
  const [givenName = name, ...family] = name.split(/\s+/)
  return {
    ...claims,
    name,
    given_name: givenName,
    ...(family.length > 0 && { family_name: family.join(' ') }),
    picture: `${origin}/a/${sub}=s96-c`,
  }
}

function subjectOf(email: string): string {
  const digest = createHash('sha256').update(email.toLowerCase()).digest('hex')
  return `1${(BigInt(`0x${digest}`) % 10n ** 20n).toString().padStart(20, '0')}`
}

export function picture(subject: string): Response {
  const hue = Number(subject.slice(-6)) % 360
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="96" height="96" viewBox="0 0 96 96"><rect width="96" height="96" fill="hsl(${hue} 45% 40%)"/><g fill="#fff"><circle cx="48" cy="38" r="16"/><path d="M16 92a32 32 0 0 1 64 0z"/></g></svg>`
  return new Response(svg, {
    headers: { 'content-type': 'image/svg+xml', 'content-security-policy': "default-src 'none'; sandbox" },
  })
}

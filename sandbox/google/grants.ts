import { createHash, randomBytes } from 'node:crypto'
import type { Account } from './account'
import { OAuthError } from './refusal'

export interface Grant {
  account: Account
  clientId: string
  redirectUri: string
  challenge: string
  scopes: string[]
}

interface Code {
  grant: Grant
  expiresAt: number
  token: string | null
}

interface Exchange {
  code: string
  clientId: string
  redirectUri: string
  verifier: string | undefined
}

export const tokenSeconds = 3599
const codeSeconds = 600

export function createGrants(now: () => number) {
  const codes = new Map<string, Code>()
  const tokens = new Map<string, { grant: Grant; expiresAt: number }>()

  return {
    issue(grant: Grant): string {
      deleteExpired(codes, now())
      const code = `4/0A${randomBytes(48).toString('base64url')}`
      codes.set(code, { grant, expiresAt: now() + codeSeconds * 1000, token: null })
      return code
    },

    exchange({ code, clientId, redirectUri, verifier }: Exchange): { grant: Grant; token: string } {
      deleteExpired(codes, now())
      deleteExpired(tokens, now())
      const stored = codes.get(code)
      if (stored?.grant.clientId !== clientId) throw invalidGrant('Malformed auth code.')
      if (stored.token !== null) {
        // The code leaked: revoke the token, since either side may hold it (RFC 6749, 4.1.2).
        tokens.delete(stored.token)
        throw invalidGrant('The code was used before. What it gave is revoked.')
      }
      const { grant } = stored
      if (grant.redirectUri !== redirectUri) throw new OAuthError(400, 'redirect_uri_mismatch', 'Bad Request')
      if (verifier === undefined) throw invalidGrant('Missing code verifier.')
      const challenge = createHash('sha256').update(verifier).digest('base64url')
      if (!/^[\w.~-]{43,128}$/.test(verifier) || challenge !== grant.challenge) {
        throw invalidGrant('Invalid code verifier.')
      }
      const token = `ya29.${randomBytes(48).toString('base64url')}`
      stored.token = token
      tokens.set(token, { grant, expiresAt: now() + tokenSeconds * 1000 })
      return { grant, token }
    },

    grantOf(token: string): Grant | undefined {
      deleteExpired(tokens, now())
      return tokens.get(token)?.grant
    },
  }
}

export type Grants = ReturnType<typeof createGrants>

function deleteExpired(stored: Map<string, { expiresAt: number }>, now: number): void {
  for (const [key, { expiresAt }] of stored) if (expiresAt <= now) stored.delete(key)
}

function invalidGrant(message: string): OAuthError {
  return new OAuthError(400, 'invalid_grant', message)
}

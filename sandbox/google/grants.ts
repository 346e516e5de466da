import { createHash, randomBytes } from 'node:crypto'
import type { Account } from './account'
import { Refused } from './refusal'

export interface Grant {
  account: Account
  clientId: string
  redirectUri: string
  challenge: string
  scopes: string[]
}

interface Code {
  grant: Grant
  expires: number
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

export function openGrants(now: () => number) {
  const codes = new Map<string, Code>()
  const tokens = new Map<string, { grant: Grant; expires: number }>()

  return {
    issue(grant: Grant): string {
      forgetExpired(codes, now())
      const code = `4/0A${randomBytes(48).toString('base64url')}`
      codes.set(code, { grant, expires: now() + codeSeconds * 1000, token: null })
      return code
    },

    exchange({ code, clientId, redirectUri, verifier }: Exchange): { grant: Grant; token: string } {
      forgetExpired(codes, now())
      forgetExpired(tokens, now())
      const kept = codes.get(code)
      if (kept?.grant.clientId !== clientId) throw invalidGrant('Malformed auth code.')
      if (kept.token !== null) {
        // The code leaked: revoke the token, since either side may hold it (RFC 6749, 4.1.2).
        tokens.delete(kept.token)
        throw invalidGrant('The code was used before. What it gave is revoked.')
      }
      const { grant } = kept
      if (grant.redirectUri !== redirectUri) throw new Refused(400, 'redirect_uri_mismatch', 'Bad Request')
      if (verifier === undefined) throw invalidGrant('Missing code verifier.')
      const challenge = createHash('sha256').update(verifier).digest('base64url')
      if (!/^[\w.~-]{43,128}$/.test(verifier) || challenge !== grant.challenge) {
        throw invalidGrant('Invalid code verifier.')
      }
      const token = `ya29.${randomBytes(48).toString('base64url')}`
      kept.token = token
      tokens.set(token, { grant, expires: now() + tokenSeconds * 1000 })
      return { grant, token }
    },

    grantOf(token: string): Grant | undefined {
      forgetExpired(tokens, now())
      return tokens.get(token)?.grant
    },
  }
}

export type Grants = ReturnType<typeof openGrants>

function forgetExpired(kept: Map<string, { expires: number }>, now: number): void {
  for (const [key, { expires }] of kept) if (expires <= now) kept.delete(key)
}

function invalidGrant(message: string): Refused {
  return new Refused(400, 'invalid_grant', message)
}

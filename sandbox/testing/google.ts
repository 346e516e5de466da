import { createHash } from 'node:crypto'
import { openSandbox } from './fixture'
import { googleClientId, googleClientSecret } from '../keys'

export const callback = 'http://127.0.0.1:8788/auth/google/callback'
const verifier = 'a-verifier-that-only-the-shop-knows.0123456789'

type Changes = Record<string, string | null>

const authorization = {
  response_type: 'code',
  client_id: googleClientId,
  redirect_uri: callback,
  scope: 'openid email profile',
  state: 'state-1',
  code_challenge: createHash('sha256').update(verifier).digest('base64url'),
  code_challenge_method: 'S256',
}

export const ada = { choice: 'ada@example.com' }

export async function openGoogle() {
  const sandbox = await openSandbox()
  const { url } = sandbox
  const pageUrl = (changes: Changes = {}) =>
    `${url}/o/oauth2/v2/auth?${applyChanges(authorization, changes).toString()}`

  const choose = async (choice: Record<string, string>, changes?: Changes) =>
    await fetch(pageUrl(changes), { method: 'POST', body: new URLSearchParams(choice), redirect: 'manual' })

  const redirectTo = async (choice: Record<string, string>, changes?: Changes) =>
    new URL((await choose(choice, changes)).headers.get('location')!)

  const getCode = async (choice: Record<string, string> = ada, changes?: Changes) =>
    (await redirectTo(choice, changes)).searchParams.get('code')!

  const exchange = (code: string, changes: Changes = {}, headers: Record<string, string> = {}) => {
    const form = {
      grant_type: 'authorization_code',
      code,
      redirect_uri: callback,
      client_id: googleClientId,
      client_secret: googleClientSecret,
      code_verifier: verifier,
    }
    return fetch(`${url}/token`, { method: 'POST', headers, body: applyChanges(form, changes) })
  }

  const userinfo = (token: string) =>
    fetch(`${url}/oauth2/v3/userinfo`, { headers: { authorization: `Bearer ${token}` } })

  const getProfile = async (choice: Record<string, string>, changes?: Changes) => {
    const { access_token: token } = await (await exchange(await getCode(choice, changes))).json<Tokens>()
    return await (await userinfo(token)).json<Record<string, unknown>>()
  }

  return { ...sandbox, pageUrl, choose, cameBack: redirectTo, codeOf: getCode, exchange, userinfo, profile: getProfile }
}

export interface Tokens {
  access_token: string
  expires_in: number
  scope: string
  token_type: string
}

export interface OAuthErrorBody {
  error: string
  error_description: string
}

function applyChanges(parameters: Record<string, string>, changes: Changes): URLSearchParams {
  const all: Changes = { ...parameters, ...changes }
  return new URLSearchParams(Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== null))
}

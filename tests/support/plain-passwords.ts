/** Replaces app/store/accounts/passwords.server.ts, because scrypt is slow on purpose. */
export const hashPassword = (password: string) => Promise.resolve(`hash of ${password}`)

export const compared: [password: string, hash: string | null][] = []

export function passwordMatches(password: string, hash: string | null): Promise<boolean> {
  compared.push([password, hash])
  return Promise.resolve(hash === `hash of ${password}`)
}

/** In place of app/store/accounts/passwords.server.ts where a test is about something else: scrypt takes its time, on purpose. */
export const hashPassword = (password: string) => Promise.resolve(`hash of ${password}`)

/** What was compared, in order. */
export const compared: [password: string, hash: string | null][] = []

export function passwordMatches(password: string, hash: string | null): Promise<boolean> {
  compared.push([password, hash])
  return Promise.resolve(hash === `hash of ${password}`)
}

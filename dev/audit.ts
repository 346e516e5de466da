import { execFile } from 'node:child_process'
import { accepted } from './advisories'

interface Advisory {
  name: string
  range: string
  severity: string
  url: string
}

interface Answer {
  message?: string
  /** `via` has advisories, and names of packages that have them. */
  vulnerabilities?: Record<string, { via: (string | Advisory)[] }>
}

/** The known vulnerabilities of the packages in the Worker; a text says why the registry could not be asked. */
export async function auditPackages(): Promise<Advisory[] | string> {
  const args = ['audit', '--omit=dev', '--json', '--fetch-retries=0', '--fetch-timeout=10000']
  // npm exits with 1 when it finds something.
  const stdout = await new Promise<string>((resolve) => execFile('npm', args, (_error, stdout) => resolve(stdout)))
  try {
    const { message = 'no answer', vulnerabilities } = JSON.parse(stdout) as Answer
    if (!vulnerabilities) return message
    const advisories = Object.values(vulnerabilities).flatMap(({ via }) => via.filter((one) => typeof one !== 'string'))
    return [...new Map(advisories.map((one) => [`${one.name} ${one.url}`, one])).values()]
  } catch {
    return 'npm audit gave no JSON'
  }
}

/** Says a line for each vulnerability, and returns how many must be fixed, or accepted in `dev/advisories.ts`: those above low. */
export async function checkPackages(say: (line: string) => void): Promise<number> {
  const found = await auditPackages()
  if (typeof found === 'string') {
    say(`packages: NOT CHECKED: the list of vulnerabilities was out of reach: ${found}`)
    return 0
  }
  const isAccepted = ({ url }: Advisory) => accepted.some(({ advisory }) => url.endsWith(`/${advisory}`))
  for (const one of found) {
    const { name, range, severity, url } = one
    say(`packages: ${name} ${range} has a ${severity} vulnerability: ${url}${isAccepted(one) ? ' (accepted)' : ''}`)
  }
  return found.filter((one) => one.severity !== 'low' && !isAccepted(one)).length
}

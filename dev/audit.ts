import { execFile } from 'node:child_process'

interface Vulnerability {
  name: string
  range: string
  severity: string
}

interface Answer {
  message?: string
  vulnerabilities?: Record<string, Omit<Vulnerability, 'name'>>
}

/** The known vulnerabilities of the packages in the Worker; a text says why the registry could not be asked. */
export async function auditPackages(): Promise<Vulnerability[] | string> {
  const args = ['audit', '--omit=dev', '--json', '--fetch-retries=0', '--fetch-timeout=10000']
  // npm exits with 1 when it finds something.
  const stdout = await new Promise<string>((resolve) => execFile('npm', args, (_error, stdout) => resolve(stdout)))
  try {
    const { message = 'no answer', vulnerabilities } = JSON.parse(stdout) as Answer
    if (!vulnerabilities) return message
    return Object.entries(vulnerabilities).map(([name, { range, severity }]) => ({ name, range, severity }))
  } catch {
    return 'npm audit gave no JSON'
  }
}

import { cpus } from 'node:os'

export interface Budget {
  what: string
  value: number
  max?: number
  min?: number
}

export class Results {
  readonly budgets: Budget[] = []
  private readonly parts: string[] = []

  say(...lines: string[]): void {
    this.parts.push(lines.join('\n'))
    console.log(`\n${lines.join('\n')}`)
  }

  table(head: string[], rows: (string | number)[][]): void {
    const line = (cells: (string | number)[]) => `| ${cells.map(formatCell).join(' | ')} |`
    this.say(line(head), line(head.map(() => '---')), ...rows.map(line))
  }

  check(...budgets: Budget[]): void {
    this.budgets.push(...budgets)
  }

  overBudget(): Budget[] {
    return this.budgets.filter(({ value, max = Infinity, min = -Infinity }) => value > max || value < min)
  }

  toString(): string {
    const rows = this.budgets.map((budget) => {
      const limit =
        budget.max === undefined ? `at least ${formatCell(budget.min!)}` : `at most ${formatCell(budget.max)}`
      return `| ${budget.what} | ${formatCell(budget.value)} | ${limit} | ${this.overBudget().includes(budget) ? '**no**' : 'yes'} |`
    })
    const table = ['| budget | value | limit | within |', '| --- | --- | --- | --- |', ...rows].join('\n')
    return `${head()}\n\n## Budgets\n\n${table}\n\n${this.parts.join('\n\n')}\n`
  }
}

function head(): string {
  const [processor] = cpus()
  return [
    '# What the shop costs',
    '',
    '`npm run bench` writes this file: everything in one run, targets in turn, medians of the rounds. Machines differ, and are not',
    'always quiet: compare figures of one run, never of two.',
    '',
    `${new Date().toISOString().slice(0, 10)}, ${cpus().length} × ${processor?.model ?? 'unknown processor'}, Node ${process.versions.node}, workerd through Miniflare, libSQL server on the same machine.`,
  ].join('\n')
}

function formatCell(value: string | number): string {
  if (typeof value === 'string') return value
  if (Number.isInteger(value)) return value.toLocaleString('en-US')
  return value < 10 ? value.toFixed(2) : value.toFixed(1)
}

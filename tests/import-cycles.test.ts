import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { ESLint } from 'eslint'
import { expect, onTestFinished, test } from 'vitest'

test.for(['app/store', 'app/ui', 'dev', 'sandbox', 'tests'])(
  'the linter rejects two files of %s that import each other',
  async (folder) => {
    const own = mkdtempSync(join(folder, 'cycle-'))
    onTestFinished(() => rmSync(own, { recursive: true }))
    const files = ['one.ts', 'two.tsx'].map((name) => join(own, name))
    writeFileSync(files[0]!, "import { two } from './two'\n\nexport const one = () => two\n")
    writeFileSync(files[1]!, "import { one } from './one'\n\nexport const two = () => one\n")
    // The rules with types need a project that has the files, and take seconds.
    const withoutTypes = { languageOptions: { parserOptions: { projectService: false } } }
    const eslint = new ESLint({
      overrideConfig: withoutTypes,
      ruleFilter: ({ ruleId }) => ruleId === 'import-x/no-cycle',
    })
    const results = await eslint.lintFiles(files)
    expect(
      results.flatMap(({ filePath, messages }) => messages.map(({ ruleId }) => [relative(own, filePath), ruleId])),
    ).toEqual([
      ['one.ts', 'import-x/no-cycle'],
      ['two.tsx', 'import-x/no-cycle'],
    ])
  },
)

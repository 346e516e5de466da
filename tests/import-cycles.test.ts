import { ESLint } from 'eslint'
import { expect, test } from 'vitest'

/** The second of each imports the first. */
test.for([
  ['app/db/schema.ts', '../store/close-account.server'],
  ['app/ui/button.tsx', './orders/unsent-orders'],
  ['dev/ports.ts', './database'],
  ['sandbox/json-response.ts', './faults'],
  ['tests/support/listen.ts', '../deploy.test'],
])('the linter rejects an import cycle of %s with %s', async ([filePath, other]) => {
  const eslint = new ESLint({
    // The rules with types take seconds.
    overrideConfig: { languageOptions: { parserOptions: { projectService: false } } },
    ruleFilter: ({ ruleId }) => ruleId === 'import-x/no-cycle',
  })
  const results = await eslint.lintText(`import * as other from '${other}'\n\nexport default other\n`, { filePath })
  expect(results.flatMap(({ messages }) => messages.map(({ ruleId }) => ruleId))).toEqual(['import-x/no-cycle'])
})

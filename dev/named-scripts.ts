type NamedScript = [name: string, args: string, does: string]

/** Another part of the mutants every day. */
const day = String(Math.floor(Date.now() / 86_400_000))

/** `npm run check -- NAME`, the most useful first. `npm run test:all` runs every one with the arguments that stand last. */
export const checks: [...NamedScript, nightly: string[]][] = [
  [
    'upgrade-drill',
    '[REVISION]',
    'An upgrade from the shop of REVISION: both take orders on one database, or this one takes its data over',
    [],
  ],
  ['restore-drill', '', 'Loses a database under load, restores a backup, and accounts for every payment', []],
  [
    'stress',
    '[--only races,events] [--scale 0.1] [--seed 7]',
    'Money and stock under load, crashes and faults; half an hour or more',
    ['--scale', '0.05'],
  ],
  [
    'planted-bugs',
    '[TEXT]',
    'Bugs in the schema, one at a time, that the tests must notice; TEXT selects some by name or file',
    [],
  ],
  [
    'mutation',
    '[--sample 0.05] [--seed 7] [--mutate FILES]',
    'Counts the mutants of app/store and app/gateways that the tests notice; all of them: hours',
    ['--sample', '0.02', '--seed', day],
  ],
  [
    'scan',
    '',
    'The API document with Spectral and Redocly, the shop with wapiti and sqlmap, the packages with retire.js and npm audit',
    [],
  ],
  ['html-check', '', 'Every page in every state with the Nu HTML checker; needs Java', []],
  ['enumeration', '[PAIRS]', 'Whether login and password reset reveal which emails have an account', []],
  [
    'fuzz',
    '[ROUNDS] [SEED] [TEXT]',
    'Malformed requests to the API, then ROUNDS random rounds; TEXT selects inputs by name',
    ['1'],
  ],
  [
    'tunnel',
    '[TRIES] [SEED]',
    'Breaks the connection at each step of an order, and counts what is lost or doubled',
    ['50'],
  ],
  ['screenshots', '[--grep TEXT]', 'Every page into screenshots/index.html; WIDTHS=360,1280 chooses other widths', []],
  ['lighthouse', '', 'Accessibility, best practices, SEO and performance of six pages', []],
  [
    'bench',
    '[--only bytes,start] [--rounds 5] [--seconds 4] [--dry]',
    'Requests, CPU time, memory, bytes and paint times into bench/results.md; a quarter of an hour on a quiet machine',
    ['--only', 'bytes,start', '--dry'],
  ],
  ['node-versions', '[22 24]', 'The whole test under other versions of Node, and a dry run of the newest wrangler', []],
]

/** `npm run task -- NAME`. */
export const tasks: NamedScript[] = [
  [
    'close-account',
    'EMAIL_OR_NUMBER …',
    'Closes accounts as their customers do: after a restore, or for a letter. Ask for proof of who it is first',
  ],
  [
    'remove-second-factor',
    'EMAIL',
    'Lets somebody who has lost phone and recovery codes log in without a code. Ask for proof of who it is first',
  ],
  [
    'database',
    '[FLAGS OF SQLD]',
    'Serves the libSQL server of a deployed shop from DATA_DIR, at DB_PORT and DB_HOST, until SIGTERM',
  ],
  ['providers', '--env NAME', 'Registers the webhook at Stripe, and asks whether Google knows the redirect URI'],
  ['build', '', 'Builds what a deployment needs, and writes dist/sbom.json, a CycloneDX list of the packages'],
  [
    'seed',
    '--instruments N --orders N --users N',
    'Adds that many rows of each to the running shop, to test it at size',
  ],
  ['migration', '--name what_changes', 'Writes the next migration from app/db/schema.ts'],
  [
    'export-starter',
    "FOLDER --name 'Other Shop'",
    'Writes a shop of another name to begin from, without the history of this one',
  ],
]

/** Runs the script that the first argument names, with the arguments after it. */
export async function runNamedScript(
  command: string,
  scripts: readonly (readonly [...NamedScript, ...unknown[]])[],
): Promise<void> {
  const [chosen] = process.argv.splice(2, 1)
  if (scripts.some(([name]) => name === chosen)) {
    await import(`../scripts/${chosen}.ts`)
    return
  }
  console.log(`Usage: npm run ${command} -- NAME …`)
  for (const [name, args, does] of scripts) console.log(`\n  ${`${name} ${args}`.trim()}\n      ${does}.`)
  process.exitCode = chosen === undefined ? 0 : 2
}

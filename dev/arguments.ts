import { parseArgs, type ParseArgsConfig } from 'node:util'

/** The arguments of a command. For those that it does not know it prints `usage` instead of a stack, and exits. */
export function readArguments<T extends ParseArgsConfig>(config: T, usage: string): ReturnType<typeof parseArgs<T>> {
  try {
    return parseArgs(config)
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n${usage}`)
    process.exit(2)
  }
}

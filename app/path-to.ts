import type { Path } from './routes'

type Parameter<P extends string> = P extends `${string}:${infer Name}/${infer Rest}`
  ? Name | Parameter<Rest>
  : P extends `${string}:${infer Name}`
    ? Name
    : never

/** A path with its parameters filled in. One that no route serves is a type error. */
export function pathTo<P extends Path>(path: P, values: Record<Parameter<P>, string>): string {
  return path.replace(/:(\w+)/g, (_, name: Parameter<P>) => encodeURIComponent(values[name]))
}
